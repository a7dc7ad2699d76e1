import { tenantParts } from '../../domain/tenant/parts.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'
import { type KeyReader } from '../../store/store.ts'
import { boundaryOf } from '../../store/tenant/tenant-boundary.ts'
import { type TenantKey } from '../../store/tenant/tenant-keys.ts'

const keyOf = (id: string): WorkKey => ({ kind: 'tenant', objectId: id, tenantId: id })

/**
 * A tenant is looked at when it, its namespace or what keeps it apart in there changes, and once a
 * minute unless all of that is at rest. Of the net under its quota it only counts that it is there:
 * the cluster writes into it whatever is used.
 */
export function tenantSource(rows: KeyReader<TenantKey>, quotaDefaults: QuotaLimits): Source {
  const restless = (keys: readonly TenantKey[], sight: Sight): TenantKey[] =>
    keys.filter(
      (key) => !key.isSettled || isMissing(key, sight) || isUnlike(key, sight, quotaDefaults),
    )
  return {
    changes: { tenant: (change) => [keyOf(change.objectId)] },
    objects: {
      namespace: ({ tenantId }) => (tenantId === null ? [] : [keyOf(tenantId)]),
      networkPolicy: (object) => keysOf(object, tenantParts.wall),
      limits: (object) => keysOf(object, tenantParts.limits),
    },
    async sift(keys, sight) {
      return restless(await rows.of(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      for await (const keys of keyPages((after) => rows.page(after))) yield restless(keys, sight)
    },
  }
}

const keysOf = ({ tenantId, name }: ChangedObject, part: string): WorkKey[] =>
  tenantId === null || name !== part ? [] : [keyOf(tenantId)]

// Before the first list nothing is known to be missing, or to be otherwise.
const isMissing = (
  { namespace, clusterUid }: TenantKey,
  { namespace: namespaces }: Sight,
): boolean =>
  namespaces.isSynced() && namespaces.at({ namespace: null, name: namespace })?.uid !== clusterUid

function isUnlike(
  { namespace, hasOwnLimits, boundary }: TenantKey,
  sight: Sight,
  defaults: QuotaLimits,
): boolean {
  if (boundary?.madeOf !== boundaryOf(defaults, { hasOwnLimits })) return true
  if (
    ![sight.namespace, sight.networkPolicy, sight.quota, sight.limits].every((watch) =>
      watch.isSynced(),
    )
  )
    return false
  const { wall, net, limits } = tenantParts
  return (
    sight.namespace.at({ namespace: null, name: namespace })?.version !==
      boundary.namespaceVersion ||
    sight.networkPolicy.at({ namespace, name: wall })?.version !== boundary.wallVersion ||
    sight.limits.at({ namespace, name: limits })?.version !== boundary.limitsVersion ||
    sight.quota.at({ namespace, name: net }) === null
  )
}
