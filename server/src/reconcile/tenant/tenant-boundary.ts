import { type SeenObject } from '../../engine/kube/seen.ts'
import { type ClusterWriter, type WantedNamespace } from '../../cluster/writer.ts'
import { type WantedNetworkPolicy } from '../../cluster/desired/network.ts'
import { type WantedLimits } from '../../cluster/desired/desired.ts'
import { type TenantNet } from '../../domain/tenant/quota-backstop.ts'
import { tenantParts } from '../../domain/tenant/parts.ts'
import { type SeenBoundary } from '../../store/tenant/tenant-boundary.ts'

export interface BoundedTenant {
  id: string
  namespace: string
  clusterUid: string | null
  net: TenantNet
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

export const wantedNamespace = ({
  id,
  namespace,
  clusterUid,
}: Omit<BoundedTenant, 'net'>): WantedNamespace => ({
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
const defaultDeny: WantedNetworkPolicy = {
  pods: { kind: 'allButFillers' },
  ingress: [],
  egress: null,
}

/**
 * A ResourceQuota that counts requests refuses pods without requests, so every pod gets a small
 * default request. There are no default limits on purpose: launchers set none, so a default would
 * apply to them and kill guests.
 */
const limits: WantedLimits = { requests: { cpuMillis: 10, memoryMi: 32 } }

/** Applies everything that isolates a tenant inside its namespace. */
export async function putBounds(
  writer: Pick<ClusterWriter, 'applyObject'>,
  { id, namespace, net: quotaBackstop }: Omit<BoundedTenant, 'clusterUid'>,
): Promise<Omit<SeenBoundary, 'madeOf' | 'namespaceVersion'>> {
  const part = (name: string) => ({ namespace, name, tenantId: id, rowId: id, uid: null })
  const limitRange: SeenObject = await writer.applyObject({
    noun: 'limits',
    ...part(tenantParts.limits),
    as: limits,
  })
  const policy = await writer.applyObject({
    noun: 'networkPolicy',
    ...part(tenantParts.wall),
    as: defaultDeny,
  })
  await writer.applyObject({ noun: 'quota', ...part(tenantParts.net), as: quotaBackstop })
  return { wallVersion: policy.version, limitsVersion: limitRange.version }
}
