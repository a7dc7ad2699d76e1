import { checkedName } from '../../engine/kube/refs.ts'
import { type NodeReader } from '../reader.ts'
import { type NodeInterface, type ObservedNode } from '../../domain/network/node.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { isTrue } from '../vm/conditions.ts'
import { listAt, textAt } from '../../engine/kube/field-at.ts'
import { manifests } from '../manifests.ts'
import { listAll } from '../../engine/kube/list-all.ts'
import { nodeKind, observedNodeSize } from './node.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { observedObject } from '../../engine/kube/observed-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

export const nodeStateKind: ApiKind = {
  group: 'nmstate.io',
  version: 'v1beta1',
  kind: 'NodeNetworkState',
  plural: 'nodenetworkstates',
  verbs: ['list'],
}

/** Reads the nodes: their size from Kubernetes, their bridges and interfaces from NMState. */
export const nodeReader = (transport: Transport): NodeReader => ({
  async getHostBridge({ name }) {
    const object = await readObject(transport, {
      of: manifests.hostBridge.of,
      name: checkedName(name),
    })
    return (
      object && {
        ...observedObject(object),
        isAvailable: isTrue(object, 'Available'),
        isDegraded: isTrue(object, 'Degraded'),
      }
    )
  },

  async listNodes() {
    const [nodes, states] = [
      await listAll(transport, nodeKind),
      await listAll(transport, nodeStateKind),
    ]
    const addressesOf = new Map(nodes.map((node) => [node.metadata.name, internalAddresses(node)]))
    return states.map((state) => observedNode(state, addressesOf.get(state.metadata.name) ?? []))
  },

  async listNodeSizes() {
    return (await listAll(transport, nodeKind)).map(observedNodeSize)
  },
})

const internalAddresses = ({ status }: ApiObject): string[] =>
  listAt(status, 'addresses')
    .filter((each) => textAt(each, 'type') === 'InternalIP')
    .flatMap((each) => textAt(each, 'address') ?? [])

const defaultRoutes = ['0.0.0.0/0', '::/0']

function observedNode(
  { metadata: { name }, status }: ApiObject,
  addresses: readonly string[],
): ObservedNode {
  const routes = listAt(status, 'currentState', 'routes', 'running')
  return {
    name,
    addresses,
    defaultRouteInterfaces: routes
      .filter((route) => defaultRoutes.includes(textAt(route, 'destination') ?? ''))
      .flatMap((route) => textAt(route, 'next-hop-interface') ?? []),
    interfaces: listAt(status, 'currentState', 'interfaces').map(observedInterface),
  }
}

const observedInterface = (object: unknown): NodeInterface => ({
  name: textAt(object, 'name') ?? '',
  controller: textAt(object, 'controller'),
  base: textAt(object, 'vlan', 'base-iface') ?? textAt(object, 'mac-vlan', 'base-iface'),
  addresses: ['ipv4', 'ipv6'].flatMap((family) =>
    listAt(object, family, 'address').flatMap((each) => textAt(each, 'ip') ?? []),
  ),
  ports: listAt(object, 'bridge', 'port').flatMap((port) => textAt(port, 'name') ?? []),
})
