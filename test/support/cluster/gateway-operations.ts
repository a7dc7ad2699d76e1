import { expect } from 'vitest'
import {
  type ListedNoun,
  listedNouns,
  type ObjectNoun,
  objectNouns,
  clusterScopedNouns,
} from '../../../server/src/cluster/reader.ts'
import { powerCommands } from '../../../server/src/cluster/vm/power-vm.ts'
import { type PowerAction } from '../../../server/src/cluster/writer.ts'
import { type DesiredObject } from '../../../server/src/cluster/desired/desired.ts'
import { collections } from './gateway-collections.ts'
import { ofNodes } from './gateway-nodes.ts'
import { ofUnmanagedVms } from './gateway-unmanaged-vms.ts'
import { type Operation, type ObjectNames, rowId, uid } from './gateway-operation.ts'
import { desiredObjects } from './desired-objects.ts'
import { fc } from '../property-testing.ts'

/*
 * Every operation of the cluster gateway, for tests that apply to all of them. A test that counts
 * the gateway's methods finds a missing one.
 */
const owner = { tenantId: rowId, rowId }

const ofPlatform: Readonly<Record<string, Operation>> = {
  'read the details of a service': {
    does: 'read',
    method: 'getService',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getService(names),
    paths: ({ namespace, name }) => [`/api/v1/namespaces/${namespace}/services/${name}`],
  },
  'read the details of a subnet': {
    does: 'read',
    method: 'getSubnet',
    takes: ['name'],
    run: ({ reader }, { name }) => reader.getSubnet({ name }),
    paths: ({ name }) => [`/apis/kubeovn.io/v1/subnets/${name}`],
  },
  'list the VLAN tags of a bridge': {
    does: 'list',
    method: 'listVlanTags',
    takes: [],
    run: ({ reader }) => reader.listVlanTags({ bridge: 'br-berth' }),
    paths: () => ['/apis/k8s.cni.cncf.io/v1/network-attachment-definitions'],
  },
  'read a namespace': {
    does: 'read',
    method: 'getNamespace',
    run: ({ reader }, { name }) => reader.getNamespace({ name }),
    paths: ({ name }) => [`/api/v1/namespaces/${name}`],
  },
  'list namespaces': {
    does: 'list',
    method: 'listNamespaces',
    takes: [],
    run: ({ reader }, { name }) => reader.listNamespaces({ limit: 5, after: name }),
    paths: () => ['/api/v1/namespaces'],
  },
  'create a namespace': {
    does: 'create',
    method: 'applyNamespace',
    run: ({ writer }, { name }) => writer.applyNamespace({ name, ...owner, uid: null }),
    paths: ({ name }) => [`/api/v1/namespaces/${name}`],
  },
  'correct a namespace': {
    does: 'correct',
    method: 'applyNamespace',
    run: ({ writer }, { name }) => writer.applyNamespace({ name, ...owner, uid }),
    paths: ({ name }) => [`/api/v1/namespaces/${name}`],
  },
  'delete a namespace': {
    does: 'remove',
    method: 'deleteNamespace',
    run: ({ writer }, { name }) => writer.deleteNamespace({ name }, uid),
    paths: ({ name }) => [`/api/v1/namespaces/${name}`],
  },
  'ask the API server for its version': {
    does: 'answer',
    method: 'checkAnswers',
    takes: [],
    run: ({ reader }) => reader.checkAnswers(),
    paths: () => ['/version'],
  },
  'read the capabilities of the cluster': {
    does: 'detect',
    method: 'readCapabilities',
    takes: [],
    run: ({ reader }) => reader.readCapabilities(),
    paths: () => [
      '/version',
      '/apis',
      '/api/v1/nodes',
      '/apis/discovery.k8s.io/v1/endpointslices',
      '/apis/subresources.kubevirt.io/v1/version',
      '/apis/kubevirt.io/v1/kubevirts',
      '/apis/cdi.kubevirt.io/v1beta1/cdis',
      '/apis/cdi.kubevirt.io/v1beta1/storageprofiles',
      '/apis/storage.k8s.io/v1/storageclasses',
      '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
      '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    ],
  },
}

const instance = ({ namespace, name }: ObjectNames): string =>
  `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`
const ofRunningVms: Readonly<Record<string, Operation>> = {
  'open a console': {
    does: 'stream',
    method: 'openConsole',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) => streams.openConsole({ namespace, vm: name }),
    paths: (names) => [`${instance(names)}/console`],
  },
  'open a screen': {
    does: 'stream',
    method: 'openScreen',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) =>
      streams.openScreen({ namespace, vm: name }, { polite: true }),
    paths: (names) => [`${instance(names)}/vnc`],
  },
  'follow a guest log': {
    does: 'log',
    method: 'followGuestLog',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) =>
      streams.followGuestLog({ namespace, vm: name }, { tailLines: 10 }),
    paths: ({ namespace, name }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
      `/api/v1/namespaces/${namespace}/pods`,
    ],
  },
  'read a guest log': {
    does: 'log',
    method: 'readGuestLog',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) =>
      streams.readGuestLog({ namespace, vm: name }, { lines: 10, bytes: 1_000 }),
    paths: ({ namespace, name }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
      `/api/v1/namespaces/${namespace}/pods`,
    ],
  },
}

/** The test's server answers both the VM and its VMI, so that the subresource call follows. */
const powering = (action: PowerAction): Operation => ({
  does: 'order',
  method: 'powerVm',
  takes: ['namespace', 'name'],
  run: ({ writer }, names) => writer.powerVm(names, action, { uid, instanceUid: uid }),
  paths: ({ namespace, name }) => {
    const root = `/apis/kubevirt.io/v1/namespaces/${namespace}`
    const { of, subresource } = powerCommands[action]
    return [
      `${root}/virtualmachines/${name}`,
      `${root}/virtualmachineinstances/${name}`,
      `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/${of.plural}/${name}/${subresource}`,
    ]
  },
})

const copies = '/apis/snapshot.kubevirt.io/v1beta1'

const ofVolumes: Readonly<Record<string, Operation>> = {
  'read the data volume of a volume': {
    does: 'read',
    method: 'getDataVolume',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getDataVolume(names),
    paths: ({ namespace, name }) => [
      `/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/${name}`,
    ],
  },
  'read the claim of a volume': {
    does: 'read',
    method: 'getClaim',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getClaim(names),
    paths: ({ namespace, name }) => [
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
    ],
  },
  'read the state of a volume snapshot': {
    does: 'read',
    method: 'getVolumeSnapshot',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getVolumeSnapshot(names),
    paths: ({ namespace, name }) => [
      `/apis/snapshot.storage.k8s.io/v1/namespaces/${namespace}/volumesnapshots/${name}`,
    ],
  },
  'read the state of a VM snapshot': {
    does: 'read',
    method: 'getVmSnapshot',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getVmSnapshot(names),
    paths: ({ namespace, name }) => [
      `${copies}/namespaces/${namespace}/virtualmachinesnapshots/${name}`,
    ],
  },
  'read the content of a VM snapshot': {
    does: 'read',
    method: 'getVmSnapshotContent',
    takes: ['namespace'],
    run: ({ reader }, { namespace }) => reader.getVmSnapshotContent({ namespace, uid }),
    paths: ({ namespace }) => [
      `${copies}/namespaces/${namespace}/virtualmachinesnapshotcontents/vmsnapshot-content-${uid}`,
    ],
  },
  'read the state of a VM restore': {
    does: 'read',
    method: 'getVmRestore',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getVmRestore(names),
    paths: ({ namespace, name }) => [
      `${copies}/namespaces/${namespace}/virtualmachinerestores/${name}`,
    ],
  },
  'read whether a VM has a disk': {
    does: 'read',
    method: 'getHolder',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getHolder({ ...names, rowId }, 'data'),
    paths: ({ namespace, name }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`,
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
    ],
  },
  'grow a volume': {
    does: 'correct',
    method: 'growVolume',
    takes: ['namespace', 'name'],
    run: ({ writer }, names) => writer.growVolume({ ...names, ...owner, uid }, 2 ** 30),
    paths: ({ namespace, name }) => [
      `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`,
    ],
  },
}

const pathsOfVm = ({ namespace, name }: ObjectNames): string[] => [
  `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`,
]

function aVmObject(names: ObjectNames): DesiredObject<'vm'> {
  const [spec = expect.unreachable()] = fc.sample(desiredObjects.vm, { numRuns: 1, seed: 7 })
  return { noun: 'vm', ...names, ...owner, uid, spec }
}

const ofVms: Readonly<Record<string, Operation>> = {
  'read the state of a VM': {
    does: 'read',
    method: 'getVm',
    takes: ['namespace', 'name'],
    run: ({ reader }, names) => reader.getVm(names),
    paths: pathsOfVm,
  },
  'compare a VM': {
    does: 'read',
    method: 'compareVm',
    takes: ['namespace', 'name'],
    run: ({ writer }, names) => writer.compareVm(aVmObject(names)),
    paths: pathsOfVm,
  },
  'remove the foreign parts of a VM and compare it': {
    does: 'read',
    method: 'removeForeignParts',
    takes: ['namespace', 'name'],
    async run({ writer }, names) {
      await writer.removeForeignParts(aVmObject(names))
      return writer.compareVm(aVmObject(names))
    },
    paths: pathsOfVm,
  },
  'remove all parts of a VM and compare it': {
    does: 'read',
    method: 'removeAllParts',
    takes: ['namespace', 'name'],
    async run({ writer }, names) {
      await writer.removeAllParts(aVmObject(names))
      return writer.compareVm(aVmObject(names))
    },
    paths: pathsOfVm,
  },
  ...Object.fromEntries(
    // Object.keys gives strings; the table has no other keys than the actions.
    (Object.keys(powerCommands) as PowerAction[]).map((action) => [
      `${action} a VM`,
      powering(action),
    ]),
  ),
  'list VMs with their state': {
    does: 'list',
    method: 'listVms',
    takes: [],
    run: ({ reader }, { name }) => reader.listVms({ limit: 5, after: name }),
    paths: () => ['/apis/kubevirt.io/v1/virtualmachines'],
  },
  'list VMIs': {
    does: 'list',
    method: 'listInstances',
    takes: [],
    run: ({ reader }, { name }) => reader.listInstances({ limit: 5, after: name }),
    paths: () => ['/apis/kubevirt.io/v1/virtualmachineinstances'],
  },
}

function ofNoun<N extends ObjectNoun>(noun: N): Record<string, Operation> {
  const [root, plural] = collections[noun]
  const isWide = clusterScopedNouns.some((each) => each === noun)
  const takes = isWide ? (['name'] as const) : (['namespace', 'name'] as const)
  const paths = ({ namespace, name }: ObjectNames): string[] => [
    isWide ? `${root}/${plural}/${name}` : `${root}/namespaces/${namespace}/${plural}/${name}`,
  ]
  const [as = expect.unreachable()] = fc.sample(desiredObjects[noun], { numRuns: 1, seed: 7 })
  const ref = ({ namespace, name }: ObjectNames) => ({ namespace: isWide ? null : namespace, name })
  // `clusterScopedNouns` decides at run time what the type decides at compile time.
  const desired = (names: ObjectNames) =>
    ({ noun, ...ref(names), ...owner, spec: as }) as Omit<DesiredObject<N>, 'uid'>
  return {
    [`read a ${noun}`]: {
      does: 'read',
      method: 'getObject',
      takes,
      paths,
      run: ({ reader }, names) => reader.getObject(noun, ref(names)),
    },
    [`create a ${noun}`]: {
      does: 'create',
      method: 'applyObject',
      takes,
      paths,
      run: ({ writer }, names) => writer.applyObject<N>({ ...desired(names), uid: null }),
    },
    [`correct a ${noun}`]: {
      does: 'correct',
      method: 'applyObject',
      takes,
      paths,
      run: ({ writer }, names) => writer.applyObject<N>({ ...desired(names), uid }),
    },
    [`delete a ${noun}`]: {
      does: 'remove',
      method: 'deleteObject',
      takes,
      paths,
      run: ({ writer }, names) => writer.deleteObject(noun, ref(names), uid),
    },
  }
}

const listOf = (noun: ListedNoun): Record<string, Operation> => ({
  [`list every ${noun}`]: {
    does: 'list',
    method: 'listObjects',
    takes: [],
    paths: () => [collections[noun].join('/')],
    run: ({ reader }, { name }) => reader.listObjects(noun, { limit: 5, after: name }),
  },
})

/** All operations, by a sentence that names each in test titles. */
export const operations: Readonly<Record<string, Operation>> = Object.assign(
  {},
  ofPlatform,
  ofNodes,
  ofUnmanagedVms,
  ofRunningVms,
  ofVms,
  ofVolumes,
  ...objectNouns.map((noun) => ofNoun(noun)),
  ...listedNouns.map(listOf),
)
