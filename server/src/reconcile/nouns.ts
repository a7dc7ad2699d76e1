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
  keys: KeyReaders
  quotaDefaults: QuotaLimits
}

/** Lists the sources that enqueue reconciler keys. */
export const keySources = ({ keys, quotaDefaults }: SourceParts): Source[] => [
  tenantSource(keys.tenant, quotaDefaults),
  vpcSource(keys.vpc),
  networkSource(keys.network),
  templateSource(keys.vm_template),
  vmSource(keys.vm),
  vmFirewallSource(keys.vm_firewall),
  vmSshSource(keys.vm_ssh),
  volumeSource(keys.volume),
  volumeSnapshotSource(keys.volume_snapshot),
  vmSnapshotSource(keys.vm_snapshot),
  snapshotScheduleSource(keys.snapshot_schedule),
]
