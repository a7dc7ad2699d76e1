import { checkedName } from '../../engine/kube/refs.ts'
import { type HostReader } from '../reader.ts'
import { type HostInterface, type SeenHost } from '../../domain/network/host.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { isTrue } from '../vm/conditions.ts'
import { listAt, textAt } from '../../engine/kube/field-at.ts'
import { manifests } from '../manifests.ts'
import { listAll } from '../../engine/kube/list-all.ts'
import { nodeKind, seenHostSize } from './node.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { seenObject } from '../../engine/kube/seen-object.ts'
import { type Transport } from '../../engine/kube/transport.ts'

const nodeStateKind: ApiKind = {
  group: 'nmstate.io',
  version: 'v1beta1',
  kind: 'NodeNetworkState',
  plural: 'nodenetworkstates',
}

export const hostReader = (transport: Transport): HostReader => ({
  async getHostBridge({ name }) {
    const object = await readObject(transport, {
      of: manifests.hostBridge.of,
      name: checkedName(name),
    })
    return (
      object && {
        ...seenObject(object),
        isAvailable: isTrue(object, 'Available'),
        isDegraded: isTrue(object, 'Degraded'),
      }
    )
  },

  async listHosts() {
    const [nodes, states] = [
      await listAll(transport, nodeKind),
      await listAll(transport, nodeStateKind),
    ]
    const addressesOf = new Map(nodes.map((node) => [node.metadata.name, internalAddresses(node)]))
    return states.map((state) => observedNode(state, addressesOf.get(state.metadata.name) ?? []))
  },

  async listHostSizes() {
    return (await listAll(transport, nodeKind)).map(seenHostSize)
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
): SeenHost {
  const routes = listAt(status, 'currentState', 'routes', 'running')
  return {
    name,
    addresses,
    waysOut: routes
      .filter((route) => defaultRoutes.includes(textAt(route, 'destination') ?? ''))
      .flatMap((route) => textAt(route, 'next-hop-interface') ?? []),
    interfaces: listAt(status, 'currentState', 'interfaces').map(observedInterface),
  }
}

const observedInterface = (object: unknown): HostInterface => ({
  name: textAt(object, 'name') ?? '',
  controller: textAt(object, 'controller'),
  base: textAt(object, 'vlan', 'base-iface') ?? textAt(object, 'mac-vlan', 'base-iface'),
  addresses: ['ipv4', 'ipv6'].flatMap((family) =>
    listAt(object, family, 'address').flatMap((each) => textAt(each, 'ip') ?? []),
  ),
  ports: listAt(object, 'bridge', 'port').flatMap((port) => textAt(port, 'name') ?? []),
})
