import { type ClusterWriter, type DesiredNamespace } from '../../cluster/writer.ts'
import { type DesiredNetworkPolicy } from '../../cluster/desired/network.ts'
import { type DesiredLimits } from '../../cluster/desired/desired.ts'
import { type QuotaBackstop } from '../../domain/tenant/quota-backstop.ts'
import { tenantObjectNames } from '../../domain/tenant/object-names.ts'
import { type BoundaryUids, type ObservedBoundary } from '../../store/tenant/tenant-boundary.ts'
import { applyOrRecreate } from '../cluster/apply-or-recreate.ts'

export interface IsolatedTenant {
  id: string
  namespace: string
  clusterUid: string | null
  quotaBackstop: QuotaBackstop
  /** The recorded parts of the boundary; null before they were created. */
  boundaryUids: BoundaryUids | null
}

/**
 * Launchers and importers run under the baseline level. Launchers drop every privilege but set no
 * seccomp profile, so the restricted level would refuse them. The cluster audits and warns about
 * violations of the restricted level.
 */
const podSecurity = {
  'pod-security.kubernetes.io/enforce': 'baseline',
  'pod-security.kubernetes.io/audit': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
} as const

export const desiredNamespace = ({
  id,
  namespace,
  clusterUid,
}: Pick<IsolatedTenant, 'id' | 'namespace' | 'clusterUid'>): DesiredNamespace => ({
  name: namespace,
  tenantId: id,
  rowId: id,
  uid: clusterUid,
  labels: podSecurity,
})

/**
 * Default-deny ingress for the namespace. Pods that fill volumes are exempt: one half of a copy
 * calls the other, and CDI reads their progress. The firewalls of VMs decide on their egress.
 */
const defaultDeny: DesiredNetworkPolicy = {
  pods: { kind: 'allButFillers' },
  ingress: [],
  egress: null,
}

/**
 * A ResourceQuota that counts requests refuses pods without requests, so every pod gets a small
 * default request. There are no default limits on purpose: launchers set none, so a default would
 * apply to them and kill guests.
 */
const limits: DesiredLimits = { requests: { cpuMillis: 10, memoryMi: 32 } }

/** Applies all that isolates a tenant inside its namespace. A part with a uid costs one call. */
export async function applyTenantBoundary(
  writer: Pick<ClusterWriter, 'applyObject'>,
  { id, namespace, quotaBackstop, boundaryUids }: Omit<IsolatedTenant, 'clusterUid'>,
): Promise<Omit<ObservedBoundary, 'builtFrom' | 'namespaceVersion'> & BoundaryUids> {
  const part = (name: string, uid: string | null | undefined) => ({
    namespace,
    name,
    tenantId: id,
    rowId: id,
    uid: uid ?? null,
  })
  const limitRange = await applyOrRecreate(writer, {
    noun: 'limits',
    ...part(tenantObjectNames.limits, boundaryUids?.limitsUid),
    spec: limits,
  })
  const policy = await applyOrRecreate(writer, {
    noun: 'networkPolicy',
    ...part(tenantObjectNames.defaultDeny, boundaryUids?.networkPolicyUid),
    spec: defaultDeny,
  })
  const quota = await applyOrRecreate(writer, {
    noun: 'quota',
    ...part(tenantObjectNames.quota, boundaryUids?.quotaUid),
    spec: quotaBackstop,
  })
  return {
    networkPolicyVersion: policy.version,
    limitsVersion: limitRange.version,
    limitsUid: limitRange.uid,
    networkPolicyUid: policy.uid,
    quotaUid: quota.uid,
  }
}
