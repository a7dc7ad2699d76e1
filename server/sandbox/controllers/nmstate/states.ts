import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { read } from '../../objects/read.ts'
import { names } from './names.ts'

/**
 * Creates a NodeNetworkState for each node: eth0 with the address of the node, and eth1 as an
 * uplink without an address.
 */
export function seedNodeStates(client: Client): void {
  for (const node of client.list('nodes')) {
    const { name, uid = '' } = node.metadata
    if (client.get(names.states, undefined, name)) continue
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }]
    const made = client.create(names.states, {
      apiVersion: 'nmstate.io/v1beta1',
      kind: 'NodeNetworkState',
      metadata: { name, ownerReferences },
    })
    client.setStatus(names.states, made, { currentState: stateOf(node) })
  }
}

const off = { enabled: false, address: [] }

function stateOf(node: KubeObject): JsonMap {
  const address =
    read.maps(read.status(node).addresses).find(({ type }) => type === 'InternalIP')?.address ?? ''
  const own = { enabled: true, dhcp: false, address: [{ ip: address, 'prefix-length': 24 }] }
  const route = {
    destination: '0.0.0.0/0',
    'next-hop-address': '192.0.2.1',
    'next-hop-interface': 'eth0',
    metric: 100,
    'table-id': 254,
  }
  const ethernet = { type: 'ethernet', state: 'up', mtu: 1500, ipv6: off }
  return {
    interfaces: [
      { name: 'eth0', ...ethernet, ipv4: own },
      { name: 'eth1', ...ethernet, ipv4: off },
    ],
    routes: { running: [route], config: [route] },
  }
}
