import { checkedName } from '../../engine/kube/refs.ts'
import { type WantedVmClone, type WantedVmRestore, type WantedVmSnapshot } from '../desired/vm.ts'
import { type Content, maybe } from '../../engine/kube/manifest.ts'

const vmCalled = (name: string): Content => ({
  apiGroup: 'kubevirt.io',
  kind: 'VirtualMachine',
  name: checkedName(name),
})

export const vmSnapshotContent = ({ vm, deadlineSeconds }: WantedVmSnapshot): Content => ({
  spec: { source: vmCalled(vm), deletionPolicy: 'Delete', failureDeadline: `${deadlineSeconds}s` },
})

/**
 * The VM is stopped by then, which the operation saw to; one that runs again meanwhile fails the
 * restore and is not stopped by it.
 */
export const vmRestoreContent = ({ snapshot, target, volumes }: WantedVmRestore): Content => ({
  spec: {
    target: vmCalled(target),
    virtualMachineSnapshotName: checkedName(snapshot),
    targetReadinessPolicy: 'FailImmediate',
    // New claims of the old names: what we call a disk does not change, and no old one is left
    // over.
    volumeRestorePolicy: 'InPlace',
    // The data volume owns its claim, as before; a VM that owned it would take the volumes attached
    // to it along when it is deleted.
    volumeOwnershipPolicy: 'None',
    ...maybe('volumeRestoreOverrides', ownersOf(volumes)),
  },
})

/**
 * Also where an earlier restore broke off and there is no claim any more whose owner could be seen.
 */
function ownersOf(volumes: WantedVmRestore['volumes']): Content[] | null {
  const owners = Object.entries(volumes)
  if (owners.length === 0) return null
  return owners.map(([disk, dataVolume]) => ({
    volumeName: checkedName(disk),
    annotations: { 'cdi.kubevirt.io/storage.populatedFor': checkedName(dataVolume) },
  }))
}

/** The cluster cuts a patch at every colon and comma, so an address is written with dashes. */
const dashed = (mac: string): string => mac.replaceAll(':', '-')

export const vmCloneContent = ({ source, target, macs, serial }: WantedVmClone): Content => ({
  spec: {
    source: source.kind === 'vm' ? vmCalled(source.name) : snapshotCalled(source.name),
    target: vmCalled(target),
    newMacAddresses: Object.fromEntries(
      Object.entries(macs).map(([nic, mac]) => [checkedName(nic), dashed(mac)]),
    ),
    newSMBiosSerial: serial,
  },
})

const snapshotCalled = (name: string): Content => ({
  apiGroup: 'snapshot.kubevirt.io',
  kind: 'VirtualMachineSnapshot',
  name: checkedName(name),
})
