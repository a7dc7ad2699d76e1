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
 * What machines and those who fill their disks live with: launchers drop every privilege, but as
 * they say nothing of system calls, more than this would refuse them. What would be refused above
 * it is written into the cluster's own records.
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
 * Nobody comes in whom no security group lets in. Whoever fills volumes is left out: one half of a
 * copy calls the other, and the platform asks how far they are. What machines may call is their
 * guards' to say.
 */
const wall: WantedNetworkPolicy = { pods: { kind: 'allButFillers' }, ingress: [], egress: null }

/**
 * Where a quota counts what pods ask for, a pod that asks for nothing is refused: so everything
 * asks for a little. There are no limits on purpose, not even as a largest size: they would become
 * those of launchers, which say none, and end guests.
 */
const limits: WantedLimits = { requests: { cpuMillis: 10, memoryMi: 32 } }

/** Makes and corrects what keeps a tenant apart, in its namespace. */
export async function putBounds(
  writer: Pick<ClusterWriter, 'applyObject'>,
  { id, namespace, net }: Omit<BoundedTenant, 'clusterUid'>,
): Promise<Omit<SeenBoundary, 'madeOf' | 'namespaceVersion'>> {
  const place = (name: string) => ({ namespace, name, tenantId: id, rowId: id, uid: null })
  const ofPods: SeenObject = await writer.applyObject({
    noun: 'limits',
    ...place(tenantParts.limits),
    as: limits,
  })
  const walled = await writer.applyObject({
    noun: 'networkPolicy',
    ...place(tenantParts.wall),
    as: wall,
  })
  await writer.applyObject({ noun: 'quota', ...place(tenantParts.net), as: net })
  return { wallVersion: walled.version, limitsVersion: ofPods.version }
}
