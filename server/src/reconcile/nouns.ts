import { type IntersectionOf } from '../engine/model/intersection.ts'
import { type Source } from '../engine/reconcile/sources.ts'
import { type QuotaLimits } from '../domain/tenant/quota.ts'
import { type KeyReaders } from '../store/store.ts'
import { networkReconciler } from './network/network.ts'
import { networkSource, vpcSource } from './network/network-keys.ts'
import { securityGroupReconciler } from './security-group/security-group.ts'
import {
  snapshotScheduleReconciler,
  snapshotScheduleSource,
} from './snapshot-schedule/snapshot-schedule.ts'
import { tenantReconciler } from './tenant/tenant.ts'
import { tenantSource } from './tenant/tenant-keys.ts'
import { vmReconciler } from './vm/vm.ts'
import { vmSource } from './vm/vm-keys.ts'
import { vmFirewallReconciler } from './vm-firewall/vm-firewall.ts'
import { vmFirewallSource } from './vm-firewall/vm-firewall-keys.ts'
import { vmSnapshotReconciler } from './vm-snapshot/vm-snapshot.ts'
import { vmSshReconciler } from './vm-ssh/vm-ssh.ts'
import { vmSshSource } from './vm-ssh/vm-ssh-keys.ts'
import { vmTemplateReconciler } from './vm-template/vm-template.ts'
import { templateSource } from './vm-template/vm-template-keys.ts'
import { volumeReconciler } from './volume/volume.ts'
import { vmSnapshotSource, volumeSnapshotSource, volumeSource } from './volume/volume-keys.ts'
import { volumeSnapshotReconciler } from './volume-snapshot/volume-snapshot.ts'
import { vpcReconciler } from './vpc/vpc.ts'

/** Every reconciler. A new one is one line here. */
export const reconcilers = [
  networkReconciler,
  securityGroupReconciler,
  snapshotScheduleReconciler,
  tenantReconciler,
  vmReconciler,
  vmFirewallReconciler,
  vmSnapshotReconciler,
  vmSshReconciler,
  vmTemplateReconciler,
  volumeReconciler,
  volumeSnapshotReconciler,
  vpcReconciler,
] as const

/** The dependencies of all reconcilers together. Each reconciler takes the part that it needs. */
export type ReconcilerParts = IntersectionOf<Parameters<(typeof reconcilers)[number]>[0]>

interface SourceParts {
  workKeys: KeyReaders
  quotaDefaults: QuotaLimits
}

/** Lists the sources that enqueue reconciler workKeys. */
export const keySources = ({ workKeys, quotaDefaults }: SourceParts): Record<string, Source> => ({
  tenant: tenantSource(workKeys.tenant, quotaDefaults),
  vpc: vpcSource(workKeys.vpc),
  network: networkSource(workKeys.network),
  vm_template: templateSource(workKeys.vm_template),
  vm: vmSource(workKeys.vm),
  vm_firewall: vmFirewallSource(workKeys.vm_firewall),
  vm_ssh: vmSshSource(workKeys.vm_ssh),
  volume: volumeSource(workKeys.volume),
  volume_snapshot: volumeSnapshotSource(workKeys.volume_snapshot),
  vm_snapshot: vmSnapshotSource(workKeys.vm_snapshot),
  snapshot_schedule: snapshotScheduleSource(workKeys.snapshot_schedule),
})
