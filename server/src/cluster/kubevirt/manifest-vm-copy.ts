import { checkedName } from '../refs.ts'
import { type WantedVmClone, type WantedVmRestore, type WantedVmSnapshot } from '../writer/wanted-vm.ts'
import { type Content, maybe } from './manifest.ts'

const vmCalled = (name: string): Content => ({ apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: checkedName(name) })

export const vmSnapshotContent = ({ vm, deadlineSeconds }: WantedVmSnapshot): Content => ({
  spec: { source: vmCalled(vm), deletionPolicy: 'Delete', failureDeadline: `${deadlineSeconds}s` },
})

/** The VM is stopped by then, which the operation saw to; one that runs again meanwhile fails the restore and is not stopped by it. */
export const vmRestoreContent = ({ snapshot, target, macs }: WantedVmRestore): Content => ({
  spec: {
    target: vmCalled(target),
    virtualMachineSnapshotName: checkedName(snapshot),
    targetReadinessPolicy: 'FailImmediate',
    ...maybe('patches', macs.length === 0 ? null : macs.map(macPatch)),
  },
})

/** The cluster cuts a patch at every colon and comma, so the address is written with dashes. */
const macPatch = (mac: string, index: number): string =>
  JSON.stringify({ op: 'replace', path: `/spec/template/spec/domain/devices/interfaces/${index}/macAddress`, value: dashed(mac) })

const dashed = (mac: string): string => mac.replaceAll(':', '-')

export const vmCloneContent = ({ source, target, macs, serial }: WantedVmClone): Content => ({
  spec: {
    source: source.kind === 'vm' ? vmCalled(source.name) : snapshotCalled(source.name),
    target: vmCalled(target),
    newMacAddresses: Object.fromEntries(Object.entries(macs).map(([nic, mac]) => [checkedName(nic), dashed(mac)])),
    newSMBiosSerial: serial,
  },
})

const snapshotCalled = (name: string): Content => ({
  apiGroup: 'snapshot.kubevirt.io',
  kind: 'VirtualMachineSnapshot',
  name: checkedName(name),
})
