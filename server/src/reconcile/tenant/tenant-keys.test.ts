import { expect, test } from 'vitest'
import { unlimited } from '../../../../test/support/world/quotas.ts'
import { sightOf } from '../../../../test/support/cluster/watch-caches.ts'
import { type KnownObject } from '../../engine/kube/watch/watch.ts'
import { boundaryOf } from '../../store/tenant/tenant-boundary.ts'
import { type TenantKey } from '../../store/tenant/tenant-keys.ts'
import { tenantSource } from './tenant-keys.ts'
import { type Sight } from '../../engine/reconcile/sources.ts'

const defaults = { ...unlimited, vms: 3 }
const boundary = {
  madeOf: boundaryOf(defaults, { hasOwnLimits: false }),
  namespaceVersion: '1',
  wallVersion: '2',
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

const known = (name: string, version: string, uid = 'x'): KnownObject => ({
  namespace: 'n',
  name,
  uid,
  tenantId: 't',
  rowId: 't',
  version,
  generation: 1,
})
const whole = {
  namespace: known('n', '1', 'u'),
  networkPolicy: known('tenant-wall', '2'),
  limits: known('tenant-limits', '3'),
  quota: known('tenant-net', '99'),
}
type Seen = Partial<Record<keyof typeof whole, KnownObject>>

const seeing = (objects: Seen, isSynced = true): Sight =>
  sightOf(
    Object.fromEntries(Object.entries(objects).map(([noun, object]) => [noun, [object]])),
    isSynced,
  )

const isLookedAt = async (row: TenantKey, sight: Sight): Promise<boolean> => {
  const source = tenantSource(
    {
      page: () => Promise.resolve({ keys: [row], after: null }),
      of: () => Promise.resolve([row]),
    },
    defaults,
  )
  for await (const keys of source.everything(sight)) return keys.length > 0
  return false
}

test.each<{ because: string; row?: Partial<TenantKey>; sight?: Sight; looked: boolean }>([
  { because: 'all is as it was left', looked: false },
  { because: 'something was asked', row: { isSettled: false }, looked: true },
  {
    because: 'its namespace is not there',
    sight: seeing({ ...whole, namespace: known('another', '1', 'u') }),
    looked: true,
  },
  {
    because: 'its namespace was changed',
    sight: seeing({ ...whole, namespace: known('n', '7', 'u') }),
    looked: true,
  },
  {
    because: 'its wall was changed',
    sight: seeing({ ...whole, networkPolicy: known('tenant-wall', '7') }),
    looked: true,
  },
  {
    because: 'its wall is not there',
    sight: seeing({ ...whole, networkPolicy: known('import-wall', '2') }),
    looked: true,
  },
  {
    because: 'its limits were changed',
    sight: seeing({ ...whole, limits: known('tenant-limits', '7') }),
    looked: true,
  },
  {
    because: 'its net is not there',
    sight: seeing({ ...whole, quota: known('another', '99') }),
    looked: true,
  },
  {
    because: 'what it uses is written into its net',
    sight: seeing({ ...whole, quota: known('tenant-net', '100') }),
    looked: false,
  },
  { because: 'it is older than what keeps tenants apart', row: { boundary: null }, looked: true },
  {
    because: 'the platform’s own limits were others',
    row: { boundary: { ...boundary, madeOf: boundaryOf({ ...defaults, vms: 2 }, key()) } },
    looked: true,
  },
  {
    because: 'those do not count for it',
    row: {
      hasOwnLimits: true,
      boundary: {
        ...boundary,
        madeOf: boundaryOf({ ...defaults, vms: 2 }, { hasOwnLimits: true }),
      },
    },
    looked: false,
  },
  { because: 'nothing is known yet', sight: seeing({}, false), looked: false },
])(
  'a tenant is looked at or left alone: $because',
  async ({ row, sight = seeing(whole), looked }) => {
    expect(await isLookedAt(key(row), sight)).toBe(looked)
  },
)
