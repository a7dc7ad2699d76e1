import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Desk } from '../desk.ts'
import { named } from '../hotplug/volumes.ts'
import { filled, read } from '../../objects/read.ts'
import { isAbsent, podNicName } from './nic-words.ts'
import { interfacesOf, secondaryNetworksOf } from './nics.ts'

/*
 * Multus reads from a pod which networks it wants beside its own, and writes into it which it has.
 */

const wanted = 'k8s.v1.cni.cncf.io/networks'
const has = 'k8s.v1.cni.cncf.io/network-status'

/** What the pod of an instance asks for; a NIC that is to go is not asked for any more. */
export function wantedNetworks(vmi: KubeObject): Record<string, string> {
  const { namespace = '' } = vmi.metadata
  const elements = secondaryNetworksOf(vmi).flatMap(({ name: network, multus }): JsonMap[] => {
    const nic = named(interfacesOf(vmi), network)
    if (nic && isAbsent(nic)) return []
    const [name = '', where = namespace] = read
      .text(read.at(multus, 'networkName'))
      .split('/')
      .reverse()
    return [
      filled({
        name,
        namespace: where,
        mac: nic?.macAddress,
        interface: podNicName(vmi, read.text(network)),
      }),
    ]
  })
  return elements.length > 0 ? { [wanted]: JSON.stringify(elements) } : {}
}

/** The networks that a pod names. */
export const networksWantedBy = (pod: KubeObject): JsonMap[] => listIn(pod, wanted)

/** Names of the pod's own NICs in other networks. */
export const podNicsOf = (pod: KubeObject): ReadonlySet<string> =>
  new Set(listIn(pod, has).map((status) => read.text(status.interface)))

/** As the pod starts it is put into what it names; afterwards nothing changes about that. */
export function withNetworks(desk: Desk, pod: KubeObject): KubeObject {
  const statuses = networksWantedBy(pod).map(({ name, namespace, interface: nic, mac }) =>
    filled({ name: `${read.text(namespace)}/${read.text(name)}`, interface: nic, mac, dns: {} }),
  )
  if (statuses.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [has]: JSON.stringify(statuses) }
  return desk.change('pods', pod, { ...pod, metadata: { ...pod.metadata, annotations } })
}

/** As lists in JSON, which is what KubeVirt and Multus write. */
function listIn({ metadata: { annotations = {} } }: KubeObject, name: string): JsonMap[] {
  try {
    // Whatever is in it, it is JSON.
    return read.maps(JSON.parse(annotations[name] ?? '[]') as Json)
  } catch {
    return []
  }
}
