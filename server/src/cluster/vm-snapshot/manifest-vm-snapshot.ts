import { checkedName } from '../../engine/kube/refs.ts'
import {
  type DesiredVmClone,
  type DesiredVmRestore,
  type DesiredVmSnapshot,
} from '../desired/vm.ts'
import { type Content, optionalField } from '../../engine/kube/content/manifest.ts'

const vmNamed = (name: string): Content => ({
  apiGroup: 'kubevirt.io',
  kind: 'VirtualMachine',
  name: checkedName(name),
})

/** Builds the VirtualMachineSnapshot of a VM. */
export const vmSnapshotContent = ({ vm, deadlineSeconds }: DesiredVmSnapshot): Content => ({
  spec: { source: vmNamed(vm), deletionPolicy: 'Delete', failureDeadline: `${deadlineSeconds}s` },
})

/**
 * Builds the VirtualMachineRestore, which brings a VM back to a snapshot. * The operation stops the
 * VM before the restore. When the VM runs again by then, the restore fails and does not stop it.
 */
export const vmRestoreContent = ({ snapshot, target, volumes }: DesiredVmRestore): Content => ({
  spec: {
    target: vmNamed(target),
    virtualMachineSnapshotName: checkedName(snapshot),
    targetReadinessPolicy: 'FailImmediate',
    // New claims get the old names: disk names do not change, and no old claim is left over.
    volumeRestorePolicy: 'InPlace',
    // The DataVolume owns its claim, as before. If the VM owned it, deleting the VM would delete
    // attached volumes.
    volumeOwnershipPolicy: 'None',
    ...optionalField('volumeRestoreOverrides', ownersOf(volumes)),
  },
})

/**
 * Names the DataVolume of each disk, because an earlier failed restore may have removed the claim
 * that names its owner.
 */
function ownersOf(volumes: DesiredVmRestore['volumes']): Content[] | null {
  const owners = Object.entries(volumes)
  if (owners.length === 0) return null
  return owners.map(([disk, dataVolume]) => ({
    volumeName: checkedName(disk),
    annotations: { 'cdi.kubevirt.io/storage.populatedFor': checkedName(dataVolume) },
  }))
}

/** The cluster splits a patch at every colon and comma, so a MAC address is written with dashes. */
const dashed = (mac: string): string => mac.replaceAll(':', '-')

/** Builds the VirtualMachineClone, which creates a VM from another one or from a snapshot. */
export const vmCloneContent = ({ source, target, macs, serial }: DesiredVmClone): Content => ({
  spec: {
    source: source.kind === 'vm' ? vmNamed(source.name) : snapshotNamed(source.name),
    target: vmNamed(target),
    newMacAddresses: Object.fromEntries(
      Object.entries(macs).map(([nic, mac]) => [checkedName(nic), dashed(mac)]),
    ),
    newSMBiosSerial: serial,
  },
})

const snapshotNamed = (name: string): Content => ({
  apiGroup: 'snapshot.kubevirt.io',
  kind: 'VirtualMachineSnapshot',
  name: checkedName(name),
})
