import { expect, test } from 'vitest'
import { unlimited } from '../../../../test/support/world/quotas.ts'
import { watchCachesOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { boundaryFingerprint } from '../../store/tenant/tenant-boundary.ts'
import { type TenantKey } from '../../store/tenant/tenant-keys.ts'
import { tenantSource } from './tenant-keys.ts'
import { type ObservedCluster } from '../../engine/reconcile/sources.ts'

const defaults = { ...unlimited, vms: 3 }
const boundary = {
  builtFrom: boundaryFingerprint(defaults, { hasOwnLimits: false }),
  namespaceVersion: '1',
  networkPolicyVersion: '2',
  limitsVersion: '3',
}
const key = (part: Partial<TenantKey> = {}): TenantKey => ({
  kind: 'tenant',
  objectId: 't',
  tenantId: 't',
  namespace: 'n',
  clusterUid: 'u',
  isSettled: true,
  hasOwnLimits: false,
  boundary,
  ...part,
})

const watched = (name: string, version: string, uid = 'x'): KnownObject => ({
  namespace: 'n',
  name,
  uid,
  tenantId: 't',
  rowId: 't',
  version,
  generation: 1,
})
const intact = {
  namespace: watched('n', '1', 'u'),
  networkPolicy: watched('tenant-wall', '2'),
  limits: watched('tenant-limits', '3'),
  quota: watched('tenant-net', '99'),
}
type WatchedParts = Partial<Record<keyof typeof intact, KnownObject>>

const observing = (objects: WatchedParts, isSynced = true): ObservedCluster =>
  watchCachesOf(
    Object.fromEntries(Object.entries(objects).map(([noun, object]) => [noun, [object]])),
    isSynced,
  )

const isEnqueued = async (row: TenantKey, observed: ObservedCluster): Promise<boolean> => {
  const source = tenantSource({
    workKeys: {
      tenant: {
        page: () => Promise.resolve({ keys: [row], after: null }),
        of: () => Promise.resolve([row]),
      },
    },
    quotaDefaults: defaults,
  })
  for await (const keys of source.allKeys(observed)) return keys.length > 0
  return false
}

test.each<{
  because: string
  row?: Partial<TenantKey>
  observed?: ObservedCluster
  enqueued: boolean
}>([
  { because: 'every object matches its record', enqueued: false },
  {
    because: 'the row has changes that are not applied',
    row: { isSettled: false },
    enqueued: true,
  },
  {
    because: 'its namespace is missing',
    observed: observing({ ...intact, namespace: watched('another', '1', 'u') }),
    enqueued: true,
  },
  {
    because: 'its namespace was changed',
    observed: observing({ ...intact, namespace: watched('n', '7', 'u') }),
    enqueued: true,
  },
  {
    because: 'its default-deny policy was changed',
    observed: observing({ ...intact, networkPolicy: watched('tenant-wall', '7') }),
    enqueued: true,
  },
  {
    because: 'its default-deny policy is missing',
    observed: observing({ ...intact, networkPolicy: watched('import-wall', '2') }),
    enqueued: true,
  },
  {
    because: 'its limit range was changed',
    observed: observing({ ...intact, limits: watched('tenant-limits', '7') }),
    enqueued: true,
  },
  {
    because: 'its quota backstop is missing',
    observed: observing({ ...intact, quota: watched('another', '99') }),
    enqueued: true,
  },
  {
    because: 'the cluster updated the usage in its quota backstop',
    observed: observing({ ...intact, quota: watched('tenant-net', '100') }),
    enqueued: false,
  },
  { because: 'its boundary was never applied', row: { boundary: null }, enqueued: true },
  {
    because: 'the default limits of the platform changed',
    row: {
      boundary: { ...boundary, builtFrom: boundaryFingerprint({ ...defaults, vms: 2 }, key()) },
    },
    enqueued: true,
  },
  {
    because: 'the default limits changed, but it has its own limits',
    row: {
      hasOwnLimits: true,
      boundary: {
        ...boundary,
        builtFrom: boundaryFingerprint({ ...defaults, vms: 2 }, { hasOwnLimits: true }),
      },
    },
    enqueued: false,
  },
  { because: 'the watch caches are not synced', observed: observing({}, false), enqueued: false },
])(
  'a full pass enqueues or skips a tenant: $because',
  async ({ row, observed = observing(intact), enqueued }) => {
    expect(await isEnqueued(key(row), observed)).toBe(enqueued)
  },
)
