import { listAt, textAt, textsAt } from '../../engine/kube/field-at.ts'
import { canonicalCidr } from '../../domain/network/cidr.ts'

interface AddressFacts {
  nodes: readonly unknown[]
  /** The EndpointSlices of the service `kubernetes` in all namespaces. */
  apiServers: readonly unknown[]
}

/** The API server keeps its own addresses in this namespace. */
const apiServerNamespace = 'default'

/** Returns the addresses of the nodes and of the API server, each as a range of one address. */
export function ownAddressesIn({ nodes, apiServers }: AddressFacts): string[] {
  const ofNodes = nodes.flatMap((node) =>
    listAt(node, 'status', 'addresses').flatMap((each) => textAt(each, 'address') ?? []),
  )
  const ofApiServers = apiServers
    .filter((slice) => textAt(slice, 'metadata', 'namespace') === apiServerNamespace)
    .flatMap((slice) => listAt(slice, 'endpoints'))
    .flatMap((endpoint) => textsAt(endpoint, 'addresses'))
  // The addresses of a node include its host name, which is no range.
  const ranges = [...ofNodes, ...ofApiServers].flatMap((address) => canonicalCidr(address) ?? [])
  return [...new Set(ranges)].sort()
}
