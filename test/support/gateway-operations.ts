import { type Cluster } from '../../server/src/cluster/kubevirt/cluster.ts'

/*
 * Every operation of the gateway once, for the tests that hold for all of them. An operation that is missing here is found by the test that
 * counts the gateway's methods.
 */
interface Operation {
  /** What follows from an answer depends on this alone. */
  does: 'read' | 'list' | 'detect' | 'create' | 'correct' | 'remove'
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

export const operations: Readonly<Record<string, Operation>> = {
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
