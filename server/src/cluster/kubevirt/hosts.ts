import { checkedName } from '../refs.ts'
import { type HostReader } from '../reader.ts'
import { type HostInterface, type SeenHost } from '../../domain/network/host.ts'
import { type ApiKind } from './api-call.ts'
import { readObject } from './apply.ts'
import { isTrue } from './conditions.ts'
import { listAt, textAt } from './field-at.ts'
import { manifests } from './manifests.ts'
import { type ApiObject, listIn } from './objects.ts'
import { seenObject } from './seen-object.ts'
import { type Transport } from './transport.ts'

const kinds = {
  node: { group: '', version: 'v1', kind: 'Node', plural: 'nodes' },
  hostState: { group: 'nmstate.io', version: 'v1beta1', kind: 'NodeNetworkState', plural: 'nodenetworkstates' },
} satisfies Record<string, ApiKind>

export const hostReader = (transport: Transport): HostReader => ({
  async getHostBridge({ name }) {
    const object = await readObject(transport, { of: manifests.hostBridge.of, name: checkedName(name) })
    return object && { ...seenObject(object), isAvailable: isTrue(object, 'Available'), isDegraded: isTrue(object, 'Degraded') }
  },

  async listHosts() {
    const [nodes, states] = [await all(transport, kinds.node), await all(transport, kinds.hostState)]
    const addressesOf = new Map(nodes.map((node) => [node.metadata.name, internalAddresses(node)]))
    return states.map((state) => seenHost(state, addressesOf.get(state.metadata.name) ?? []))
  },
})

/** One page after the other: what a host says of its network is long. */
async function all(transport: Transport, of: ApiKind): Promise<ApiObject[]> {
  const found: ApiObject[] = []
  let after: string | null = null
  do {
    const query: Record<string, string> = { limit: '50', ...(after === null ? {} : { continue: after }) }
    const page = listIn((await transport.call({ method: 'GET', of, query })).body)
    found.push(...page.items)
    after = page.after
  } while (after !== null)
  return found
}

const internalAddresses = ({ status }: ApiObject): string[] =>
  listAt(status, 'addresses')
    .filter((each) => textAt(each, 'type') === 'InternalIP')
    .flatMap((each) => textAt(each, 'address') ?? [])

const everywhere = ['0.0.0.0/0', '::/0']

function seenHost({ metadata: { name }, status }: ApiObject, addresses: readonly string[]): SeenHost {
  const routes = listAt(status, 'currentState', 'routes', 'running')
  return {
    ...{ name, addresses },
    waysOut: routes
      .filter((route) => everywhere.includes(textAt(route, 'destination') ?? ''))
      .flatMap((route) => textAt(route, 'next-hop-interface') ?? []),
    interfaces: listAt(status, 'currentState', 'interfaces').map(seenInterface),
  }
}

const seenInterface = (found: unknown): HostInterface => ({
  name: textAt(found, 'name') ?? '',
  controller: textAt(found, 'controller'),
  base: textAt(found, 'vlan', 'base-iface') ?? textAt(found, 'mac-vlan', 'base-iface'),
  addresses: ['ipv4', 'ipv6'].flatMap((family) => listAt(found, family, 'address').flatMap((each) => textAt(each, 'ip') ?? [])),
  ports: listAt(found, 'bridge', 'port').flatMap((port) => textAt(port, 'name') ?? []),
})
