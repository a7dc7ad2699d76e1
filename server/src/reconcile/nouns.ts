// `npm run fix` writes this file from the exports of server/src/reconcile/*/*.ts.
import { vpcSource, networkSource } from './network/network-keys.ts'
import { networkReconciler } from './network/network.ts'
import { securityGroupReconciler } from './security-group/security-group.ts'
import {
  snapshotScheduleReconciler,
  snapshotScheduleSource,
} from './snapshot-schedule/snapshot-schedule.ts'
import { tenantSource } from './tenant/tenant-keys.ts'
import { tenantReconciler } from './tenant/tenant.ts'
import { unmanagedVmSource } from './unmanaged-vm/unmanaged-vm-keys.ts'
import { unmanagedVmReconciler } from './unmanaged-vm/unmanaged-vm.ts'
import { vmFirewallSource } from './vm-firewall/vm-firewall-keys.ts'
import { vmFirewallReconciler } from './vm-firewall/vm-firewall.ts'
import { vmSnapshotReconciler } from './vm-snapshot/vm-snapshot.ts'
import { vmSshSource } from './vm-ssh/vm-ssh-keys.ts'
import { vmSshReconciler } from './vm-ssh/vm-ssh.ts'
import { vmTemplateSource } from './vm-template/vm-template-keys.ts'
import { vmTemplateReconciler } from './vm-template/vm-template.ts'
import { vmSource } from './vm/vm-keys.ts'
import { vmReconciler } from './vm/vm.ts'
import { volumeSnapshotReconciler } from './volume-snapshot/volume-snapshot.ts'
import { volumeSource, volumeSnapshotSource, vmSnapshotSource } from './volume/volume-keys.ts'
import { volumeReconciler } from './volume/volume.ts'
import { vpcReconciler } from './vpc/vpc.ts'

/** Every reconciler. */
export const reconcilers = [
  networkReconciler,
  securityGroupReconciler,
  snapshotScheduleReconciler,
  tenantReconciler,
  unmanagedVmReconciler,
  vmFirewallReconciler,
  vmSnapshotReconciler,
  vmSshReconciler,
  vmTemplateReconciler,
  vmReconciler,
  volumeSnapshotReconciler,
  volumeReconciler,
  vpcReconciler,
] as const

/** Every source that enqueues reconciler keys, by the kind of its keys. */
export const keySources = {
  vpc: vpcSource,
  network: networkSource,
  snapshot_schedule: snapshotScheduleSource,
  tenant: tenantSource,
  unmanaged_vm: unmanagedVmSource,
  vm_firewall: vmFirewallSource,
  vm_ssh: vmSshSource,
  vm_template: vmTemplateSource,
  vm: vmSource,
  volume: volumeSource,
  volume_snapshot: volumeSnapshotSource,
  vm_snapshot: vmSnapshotSource,
}
