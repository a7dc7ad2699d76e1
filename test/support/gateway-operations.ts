import fc from 'fast-check'
import { expect } from 'vitest'
import { type Cluster } from '../../server/src/cluster/kubevirt/cluster.ts'
import { type ListedNoun, listedNouns, type ObjectNoun, objectNouns } from '../../server/src/cluster/reader.ts'
import { type PowerAction, powerActions } from '../../server/src/cluster/writer.ts'
import { wantedObjects } from './wanted-objects.ts'

/*
 * Every operation of the gateway once, for the tests that hold for all of them. An operation that is missing here is found by the test that
 * counts the gateway's methods.
 */
interface Operation {
  /** What follows from an answer depends on this alone. */
  does: 'read' | 'list' | 'detect' | 'stream' | 'log' | 'create' | 'correct' | 'remove' | 'order'
  method: string
  /** What it turns into a path; a list takes no names. */
  takes?: readonly (keyof Place)[]
  run(cluster: Cluster, place: Place): Promise<unknown>
  /** The only paths that it may ask for. */
  paths(place: Place): readonly string[]
}

/** Names as they come from anywhere. */
interface Place {
  namespace: string
  name: string
}

export const rowId = '0b6f1c1e-7f0f-4d6c-9a51-0d2a3c4b5e6f'
export const uid = '11111111-2222-3333-4444-555555555555'
const owner = { tenantId: rowId, rowId }

const ofPlatform: Readonly<Record<string, Operation>> = {
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
  'look what the cluster can do': {
    does: 'detect',
    method: 'readCapabilities',
    takes: [],
    run: ({ reader }) => reader.readCapabilities(),
    paths: () => [
      '/version',
      '/apis',
      '/apis/subresources.kubevirt.io/v1/version',
      '/apis/kubevirt.io/v1/kubevirts',
      '/apis/cdi.kubevirt.io/v1beta1/cdis',
      '/apis/cdi.kubevirt.io/v1beta1/storageprofiles',
      '/apis/storage.k8s.io/v1/storageclasses',
      '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses',
    ],
  },
}

const instance = ({ namespace, name }: Place): string =>
  `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`
const ofRunningVms: Readonly<Record<string, Operation>> = {
  'open a console': {
    does: 'stream',
    method: 'openConsole',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) => streams.openConsole({ namespace, vm: name }),
    paths: (place) => [`${instance(place)}/console`],
  },
  'open a screen': {
    does: 'stream',
    method: 'openScreen',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) => streams.openScreen({ namespace, vm: name }, { polite: true }),
    paths: (place) => [`${instance(place)}/vnc`],
  },
  'follow a guest log': {
    does: 'log',
    method: 'followGuestLog',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) => streams.followGuestLog({ namespace, vm: name }, { tailLines: 10 }),
    paths: ({ namespace, name }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
      `/api/v1/namespaces/${namespace}/pods`,
    ],
  },
  'read a guest log': {
    does: 'log',
    method: 'readGuestLog',
    takes: ['namespace', 'name'],
    run: ({ streams }, { namespace, name }) => streams.readGuestLog({ namespace, vm: name }, { lines: 10, bytes: 1_000 }),
    paths: ({ namespace, name }) => [
      `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}`,
      `/api/v1/namespaces/${namespace}/pods`,
    ],
  },
}

/** The answer of the test's server is a VM and its run at once, so that the order itself is asked for too. */
const powering = (action: PowerAction): Operation => ({
  does: 'order',
  method: 'powerVm',
  takes: ['namespace', 'name'],
  run: ({ writer }, place) => writer.powerVm(place, action, { uid, instanceUid: uid }),
  paths: (place) => {
    const { namespace, name } = place
    const seen = `/apis/kubevirt.io/v1/namespaces/${namespace}`
    const orders = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`
    return [
      `${seen}/virtualmachines/${name}`,
      `${seen}/virtualmachineinstances/${name}`,
      ...['start', 'stop', 'restart'].map((order) => `${orders}/${order}`),
      ...['pause', 'unpause'].map((order) => `${instance(place)}/${order}`),
    ]
  },
})

const ofVolumes: Readonly<Record<string, Operation>> = {
  'look how a volume is filled': {
    does: 'read',
    method: 'getDataVolume',
    takes: ['namespace', 'name'],
    run: ({ reader }, place) => reader.getDataVolume(place),
    paths: ({ namespace, name }) => [`/apis/cdi.kubevirt.io/v1beta1/namespaces/${namespace}/datavolumes/${name}`],
  },
}

const ofVms: Readonly<Record<string, Operation>> = {
  'look at a VM': {
    does: 'read',
    method: 'getVm',
    takes: ['namespace', 'name'],
    run: ({ reader }, place) => reader.getVm(place),
    paths: ({ namespace, name }) => [`/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines/${name}`],
  },
  ...Object.fromEntries(powerActions.map((action) => [`${action} a VM`, powering(action)])),
  'list VMs with what they do': {
    does: 'list',
    method: 'listVms',
    takes: [],
    run: ({ reader }, { name }) => reader.listVms({ limit: 5, after: name }),
    paths: () => ['/apis/kubevirt.io/v1/virtualmachines'],
  },
  'list what runs': {
    does: 'list',
    method: 'listInstances',
    takes: [],
    run: ({ reader }, { name }) => reader.listInstances({ limit: 5, after: name }),
    paths: () => ['/apis/kubevirt.io/v1/virtualmachineinstances'],
  },
}

// Written down again on purpose: the product must not be the judge of its own paths.
const collections: Readonly<Record<ObjectNoun, readonly [root: string, plural: string]>> = {
  vm: ['/apis/kubevirt.io/v1', 'virtualmachines'],
  dataVolume: ['/apis/cdi.kubevirt.io/v1beta1', 'datavolumes'],
  volume: ['/api/v1', 'persistentvolumeclaims'],
  volumeSnapshot: ['/apis/snapshot.storage.k8s.io/v1', 'volumesnapshots'],
  vmSnapshot: ['/apis/snapshot.kubevirt.io/v1beta1', 'virtualmachinesnapshots'],
  vmRestore: ['/apis/snapshot.kubevirt.io/v1beta1', 'virtualmachinerestores'],
  vmClone: ['/apis/clone.kubevirt.io/v1beta1', 'virtualmachineclones'],
  network: ['/apis/k8s.cni.cncf.io/v1', 'network-attachment-definitions'],
  networkPolicy: ['/apis/networking.k8s.io/v1', 'networkpolicies'],
  quota: ['/api/v1', 'resourcequotas'],
  secret: ['/api/v1', 'secrets'],
}

function ofNoun<N extends ObjectNoun>(noun: N): Record<string, Operation> {
  const [root, plural] = collections[noun]
  const takes = ['namespace', 'name'] as const
  const paths = ({ namespace, name }: Place): string[] => [`${root}/namespaces/${namespace}/${plural}/${name}`]
  const [as = expect.unreachable()] = fc.sample(wantedObjects[noun], { numRuns: 1, seed: 7 })
  const wanted = (place: Place) => ({ noun, ...place, ...owner, as })
  return {
    [`read a ${noun}`]: { does: 'read', method: 'getObject', takes, paths, run: ({ reader }, place) => reader.getObject(noun, place) },
    [`create a ${noun}`]: {
      does: 'create',
      method: 'applyObject',
      takes,
      paths,
      run: ({ writer }, place) => writer.applyObject({ ...wanted(place), uid: null }),
    },
    [`correct a ${noun}`]: {
      does: 'correct',
      method: 'applyObject',
      takes,
      paths,
      run: ({ writer }, place) => writer.applyObject({ ...wanted(place), uid }),
    },
    [`delete a ${noun}`]: {
      does: 'remove',
      method: 'deleteObject',
      takes,
      paths,
      run: ({ writer }, place) => writer.deleteObject(noun, place, uid),
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

export const operations: Readonly<Record<string, Operation>> = Object.assign(
  {},
  ofPlatform,
  ofRunningVms,
  ofVms,
  ofVolumes,
  ...objectNouns.map((noun) => ofNoun(noun)),
  ...listedNouns.map(listOf),
)
