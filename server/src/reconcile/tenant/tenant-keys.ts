import { rowSource } from '../../engine/reconcile/row-source.ts'
import { tenantObjectNames } from '../../domain/tenant/object-names.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'
import { type SourceParts } from '../source-parts.ts'
import { boundaryFingerprint } from '../../store/tenant/tenant-boundary.ts'
import { type TenantKey } from '../../store/tenant/tenant-keys.ts'

const keyOf = (id: string): WorkKey => ({ kind: 'tenant', objectId: id, tenantId: id })

/**
 * Enqueues a tenant when its row, its namespace or a part of its boundary changes. A full pass each
 * minute skips tenants that match their records. The quota backstop only has to exist, because the
 * cluster writes the current usage into it.
 */
export const tenantSource = ({
  workKeys: { tenant: rows },
  quotaDefaults,
}: SourceParts<'tenant'> & { quotaDefaults: QuotaLimits }): Source =>
  rowSource({
    rows,
    changes: { tenant: (change) => [keyOf(change.objectId)] },
    objects: {
      namespace: ({ tenantId }) => (tenantId === null ? [] : [keyOf(tenantId)]),
      networkPolicy: (object) => keysOf(object, tenantObjectNames.defaultDeny),
      limits: (object) => keysOf(object, tenantObjectNames.limits),
    },
    needsReconcile: (key, observed) =>
      !key.isSettled || isMissing(key, observed) || hasChanged(key, observed, quotaDefaults),
  })

const keysOf = ({ tenantId, name }: ChangedObject, part: string): WorkKey[] =>
  tenantId === null || name !== part ? [] : [keyOf(tenantId)]

// Before the first list, no object counts as missing or changed.
const isMissing = (
  { namespace, clusterUid }: TenantKey,
  { namespace: namespaces }: ObservedCluster,
): boolean =>
  namespaces.isSynced() && namespaces.at({ namespace: null, name: namespace })?.uid !== clusterUid

function hasChanged(
  { namespace, hasOwnLimits, boundary }: TenantKey,
  observed: ObservedCluster,
  defaults: QuotaLimits,
): boolean {
  if (boundary?.builtFrom !== boundaryFingerprint(defaults, { hasOwnLimits })) return true
  if (
    ![observed.namespace, observed.networkPolicy, observed.quota, observed.limits].every((watch) =>
      watch.isSynced(),
    )
  )
    return false
  const { defaultDeny, quota: quotaBackstop, limits } = tenantObjectNames
  return (
    observed.namespace.at({ namespace: null, name: namespace })?.version !==
      boundary.namespaceVersion ||
    observed.networkPolicy.at({ namespace, name: defaultDeny })?.version !==
      boundary.networkPolicyVersion ||
    observed.limits.at({ namespace, name: limits })?.version !== boundary.limitsVersion ||
    observed.quota.at({ namespace, name: quotaBackstop }) === null
  )
}
