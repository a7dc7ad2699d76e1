import { type Operation } from './gateway-operation.ts'

/** The operations of the cluster gateway on nodes, for tests that apply to every operation. */
export const ofNodes: Readonly<Record<string, Operation>> = {
  'read the progress of a node bridge': {
    does: 'read',
    method: 'getHostBridge',
    takes: ['name'],
    run: ({ reader }, { name }) => reader.getHostBridge({ name }),
    paths: ({ name }) => [`/apis/nmstate.io/v1/nodenetworkconfigurationpolicies/${name}`],
  },
  'list the networks of nodes': {
    does: 'list',
    method: 'listNodes',
    takes: [],
    run: ({ reader }) => reader.listNodes(),
    paths: () => ['/api/v1/nodes', '/apis/nmstate.io/v1beta1/nodenetworkstates'],
  },
  'list the capacity of nodes': {
    does: 'list',
    method: 'listNodeSizes',
    takes: [],
    run: ({ reader }) => reader.listNodeSizes(),
    paths: () => ['/api/v1/nodes'],
  },
}
