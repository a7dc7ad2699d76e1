import { type Resource } from '../apiserver/resource.ts'
import { custom } from './row.ts'

const kubevirt = { group: 'kubevirt.io', categories: ['all'] } as const
const snapshot = { group: 'snapshot.kubevirt.io', version: 'v1beta1', categories: ['all'], status: true } as const
const instancetype = { group: 'instancetype.kubevirt.io', version: 'v1beta1' } as const

/** The kinds of KubeVirt. A VirtualMachineInstance has no status subresource, so its generation also counts what is seen. */
export const kubevirtKinds: readonly Resource[] = [
  custom({ ...kubevirt, plural: 'virtualmachines', kind: 'VirtualMachine', shortNames: ['vm', 'vms'], status: true }),
  custom({ ...kubevirt, plural: 'kubevirts', kind: 'KubeVirt', shortNames: ['kv', 'kvs'], status: true }),
  custom({ ...kubevirt, plural: 'virtualmachineinstances', kind: 'VirtualMachineInstance', shortNames: ['vmi', 'vmis'] }),
  custom({
    ...kubevirt,
    plural: 'virtualmachineinstancemigrations',
    kind: 'VirtualMachineInstanceMigration',
    shortNames: ['vmim', 'vmims'],
    status: true,
  }),
  custom({
    ...snapshot,
    plural: 'virtualmachinesnapshots',
    kind: 'VirtualMachineSnapshot',
    shortNames: ['vmsnapshot', 'vmsnapshots'],
  }),
  custom({
    ...snapshot,
    plural: 'virtualmachinesnapshotcontents',
    kind: 'VirtualMachineSnapshotContent',
    shortNames: ['vmsnapshotcontent', 'vmsnapshotcontents'],
  }),
  custom({ ...snapshot, plural: 'virtualmachinerestores', kind: 'VirtualMachineRestore', shortNames: ['vmrestore', 'vmrestores'] }),
  custom({
    group: 'clone.kubevirt.io',
    version: 'v1beta1',
    plural: 'virtualmachineclones',
    kind: 'VirtualMachineClone',
    shortNames: ['vmclone', 'vmclones'],
    categories: ['all'],
    status: true,
  }),
  custom({
    group: 'export.kubevirt.io',
    plural: 'virtualmachineexports',
    kind: 'VirtualMachineExport',
    shortNames: ['vmexport', 'vmexports'],
    categories: ['all'],
    status: true,
  }),
  custom({
    ...instancetype,
    plural: 'virtualmachineinstancetypes',
    kind: 'VirtualMachineInstancetype',
    shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
    categories: ['all'],
  }),
  custom({
    ...instancetype,
    plural: 'virtualmachineclusterinstancetypes',
    kind: 'VirtualMachineClusterInstancetype',
    namespaced: false,
    shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
  }),
  custom({
    ...instancetype,
    plural: 'virtualmachinepreferences',
    kind: 'VirtualMachinePreference',
    shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
    categories: ['all'],
  }),
  custom({
    ...instancetype,
    plural: 'virtualmachineclusterpreferences',
    kind: 'VirtualMachineClusterPreference',
    namespaced: false,
    shortNames: ['vmcp', 'vmcps'],
  }),
]
