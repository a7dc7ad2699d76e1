import { admitClone } from '../admission/copies/clones.ts'
import { reviewExport } from '../admission/copies/exports.ts'
import { reviewRestore } from '../admission/copies/restores.ts'
import { reviewSnapshot } from '../admission/copies/snapshots.ts'
import { admitMigration, reviewMigration } from '../admission/migrations.ts'
import { admitVmi, reviewVmi } from '../admission/vm/virtual-machine-instances.ts'
import { admitVm, reviewVm } from '../admission/vm/virtual-machines.ts'
import { reviewInstancetype, reviewPreference } from '../admission/vm/instancetypes.ts'
import { type Resource } from '../objects/resource.ts'
import { virtualMachineClone, virtualMachineExport } from './kubevirt/copies.ts'
import { instancetype, preference } from './kubevirt/instancetype.ts'
import { kubeVirt } from './kubevirt/kubevirt.ts'
import { virtualMachineInstanceMigration } from './kubevirt/migration.ts'
import {
  virtualMachineRestore,
  virtualMachineSnapshot,
  virtualMachineSnapshotContent,
} from './kubevirt/snapshots.ts'
import { virtualMachine } from './kubevirt/vm.ts'
import { virtualMachineInstance } from './kubevirt/vmi.ts'
import { columns } from './columns.ts'
import { subresources } from './subresources.ts'
import { alpha3, custom } from './row.ts'

const kubevirt = { group: 'kubevirt.io', categories: ['all'], aliases: [alpha3] } as const
const snapshot = {
  group: 'snapshot.kubevirt.io',
  version: 'v1beta1',
  aliases: [{ version: 'v1alpha1' }],
  categories: ['all'],
  status: true,
} as const
const sizes = { group: 'instancetype.kubevirt.io', version: 'v1beta1' } as const

const exportWarning =
  'export.kubevirt.io/v1beta1 VirtualMachineExport is now deprecated and will be removed in a future version.'

/**
 * The kinds of KubeVirt. A VirtualMachineInstance has no status subresource, so a change of its
 * status also increments its generation.
 */
export const kubevirtKinds: readonly Resource[] = [
  custom({
    ...kubevirt,
    plural: 'virtualmachines',
    kind: 'VirtualMachine',
    columns: columns.virtualMachine,
    schema: virtualMachine,
    shortNames: ['vm', 'vms'],
    status: true,
    hooks: { admit: admitVm, review: reviewVm },
  }),
  custom({
    ...kubevirt,
    plural: 'kubevirts',
    kind: 'KubeVirt',
    columns: columns.ageAndPhase,
    schema: kubeVirt,
    shortNames: ['kv', 'kvs'],
    status: true,
  }),
  custom({
    ...kubevirt,
    plural: 'virtualmachineinstances',
    kind: 'VirtualMachineInstance',
    columns: columns.vmi,
    schema: virtualMachineInstance,
    shortNames: ['vmi', 'vmis'],
    hooks: { admit: admitVmi, review: reviewVmi },
  }),
  custom({
    ...kubevirt,
    plural: 'virtualmachineinstancereplicasets',
    kind: 'VirtualMachineInstanceReplicaSet',
    shortNames: ['vmirs', 'vmirss'],
    status: true,
    subresources: [subresources.scale],
  }),
  custom({
    ...kubevirt,
    plural: 'virtualmachineinstancepresets',
    kind: 'VirtualMachineInstancePreset',
    shortNames: ['vmipreset', 'vmipresets'],
  }),
  custom({
    ...kubevirt,
    plural: 'virtualmachineinstancemigrations',
    kind: 'VirtualMachineInstanceMigration',
    columns: columns.migration,
    schema: virtualMachineInstanceMigration,
    shortNames: ['vmim', 'vmims'],
    status: true,
    hooks: { admit: admitMigration, review: reviewMigration },
  }),
  custom({
    ...snapshot,
    plural: 'virtualmachinesnapshotcontents',
    kind: 'VirtualMachineSnapshotContent',
    columns: columns.vmSnapshotContent,
    schema: virtualMachineSnapshotContent,
    shortNames: ['vmsnapshotcontent', 'vmsnapshotcontents'],
  }),
  custom({
    ...snapshot,
    plural: 'virtualmachinerestores',
    kind: 'VirtualMachineRestore',
    columns: columns.restore,
    schema: virtualMachineRestore,
    shortNames: ['vmrestore', 'vmrestores'],
    hooks: { review: reviewRestore },
  }),
  custom({
    ...snapshot,
    plural: 'virtualmachinesnapshots',
    kind: 'VirtualMachineSnapshot',
    columns: columns.vmSnapshot,
    schema: virtualMachineSnapshot,
    shortNames: ['vmsnapshot', 'vmsnapshots'],
    hooks: { review: reviewSnapshot },
  }),
  custom({
    group: 'clone.kubevirt.io',
    version: 'v1beta1',
    aliases: [{ version: 'v1alpha1' }],
    plural: 'virtualmachineclones',
    kind: 'VirtualMachineClone',
    columns: columns.clone,
    schema: virtualMachineClone,
    shortNames: ['vmclone', 'vmclones'],
    categories: ['all'],
    status: true,
    hooks: { admit: admitClone },
  }),
  custom({
    group: 'export.kubevirt.io',
    aliases: [{ version: 'v1beta1', warning: exportWarning }],
    plural: 'virtualmachineexports',
    kind: 'VirtualMachineExport',
    columns: columns.export,
    schema: virtualMachineExport,
    shortNames: ['vmexport', 'vmexports'],
    categories: ['all'],
    status: true,
    hooks: { review: reviewExport },
  }),
  custom({
    ...sizes,
    plural: 'virtualmachineinstancetypes',
    kind: 'VirtualMachineInstancetype',
    schema: instancetype,
    shortNames: ['vminstancetype', 'vminstancetypes', 'vmf', 'vmfs'],
    hooks: { review: reviewInstancetype },
    categories: ['all'],
  }),
  custom({
    ...sizes,
    plural: 'virtualmachineclusterinstancetypes',
    kind: 'VirtualMachineClusterInstancetype',
    schema: instancetype,
    namespaced: false,
    shortNames: ['vmclusterinstancetype', 'vmclusterinstancetypes', 'vmcf', 'vmcfs'],
    hooks: { review: reviewInstancetype },
  }),
  custom({
    ...sizes,
    plural: 'virtualmachinepreferences',
    kind: 'VirtualMachinePreference',
    schema: preference,
    shortNames: ['vmpref', 'vmprefs', 'vmp', 'vmps'],
    hooks: { review: reviewPreference },
    categories: ['all'],
  }),
  custom({
    ...sizes,
    plural: 'virtualmachineclusterpreferences',
    kind: 'VirtualMachineClusterPreference',
    schema: preference,
    namespaced: false,
    shortNames: ['vmcp', 'vmcps'],
    hooks: { review: reviewPreference },
  }),
]
