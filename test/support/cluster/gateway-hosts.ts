import { type Operation } from './gateway-operation.ts'

export const ofHosts: Readonly<Record<string, Operation>> = {
  'look how far the hosts are with a bridge': {
    does: 'read',
    method: 'getHostBridge',
    takes: ['name'],
    run: ({ reader }, { name }) => reader.getHostBridge({ name }),
    paths: ({ name }) => [`/apis/nmstate.io/v1/nodenetworkconfigurationpolicies/${name}`],
  },
  'look at the networks of hosts': {
    does: 'list',
    method: 'listHosts',
    takes: [],
    run: ({ reader }) => reader.listHosts(),
    paths: () => ['/api/v1/nodes', '/apis/nmstate.io/v1beta1/nodenetworkstates'],
  },
  'look what the hosts have': {
    does: 'list',
    method: 'listHostSizes',
    takes: [],
    run: ({ reader }) => reader.listHostSizes(),
    paths: () => ['/api/v1/nodes'],
  },
}
