import { type ObservedObject } from '../../engine/kube/observed.ts'
import { type ClusterWriter, type DesiredNamespace } from '../../cluster/writer.ts'
import { type DesiredNetworkPolicy } from '../../cluster/desired/network.ts'
import { type DesiredLimits } from '../../cluster/desired/desired.ts'
import { type QuotaBackstop } from '../../domain/tenant/quota-backstop.ts'
import { tenantObjectNames } from '../../domain/tenant/object-names.ts'
import { type ObservedBoundary } from '../../store/tenant/tenant-boundary.ts'

export interface IsolatedTenant {
  id: string
  namespace: string
  clusterUid: string | null
  quotaBackstop: QuotaBackstop
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
}: Omit<IsolatedTenant, 'quotaBackstop'>): DesiredNamespace => ({
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

/** Applies everything that isolates a tenant inside its namespace. */
export async function applyTenantBoundary(
  writer: Pick<ClusterWriter, 'applyObject'>,
  { id, namespace, quotaBackstop }: Omit<IsolatedTenant, 'clusterUid'>,
): Promise<Omit<ObservedBoundary, 'builtFrom' | 'namespaceVersion'>> {
  const part = (name: string) => ({ namespace, name, tenantId: id, rowId: id, uid: null })
  const limitRange: ObservedObject = await writer.applyObject({
    noun: 'limits',
    ...part(tenantObjectNames.limits),
    spec: limits,
  })
  const policy = await writer.applyObject({
    noun: 'networkPolicy',
    ...part(tenantObjectNames.defaultDeny),
    spec: defaultDeny,
  })
  await writer.applyObject({ noun: 'quota', ...part(tenantObjectNames.quota), spec: quotaBackstop })
  return { networkPolicyVersion: policy.version, limitsVersion: limitRange.version }
}
