import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Client } from '../client.ts'
import { named } from '../hotplug/volumes.ts'
import { filled, read } from '../../objects/read.ts'
import { isAbsent, podNicName } from './nic-naming.ts'
import { interfacesOf, secondaryNetworksOf } from './nics.ts'

/*
 * Multus reads the requested secondary networks from one annotation of a pod, and writes the
 * attached ones into another.
 */

const requestAnnotation = 'k8s.v1.cni.cncf.io/networks'
const statusAnnotation = 'k8s.v1.cni.cncf.io/network-status'

/** The annotation that requests the secondary networks of a VMI. Absent NICs are not requested. */
export function networkRequestOf(vmi: KubeObject): Record<string, string> {
  const { namespace = '' } = vmi.metadata
  const elements = secondaryNetworksOf(vmi).flatMap(({ name: network, multus }): JsonMap[] => {
    const nic = named(interfacesOf(vmi), network)
    if (nic && isAbsent(nic)) return []
    const [name = '', networkNamespace = namespace] = read
      .text(read.at(multus, 'networkName'))
      .split('/')
      .reverse()
    return [
      filled({
        name,
        namespace: networkNamespace,
        mac: nic?.macAddress,
        interface: podNicName(vmi, read.text(network)),
      }),
    ]
  })
  return elements.length > 0 ? { [requestAnnotation]: JSON.stringify(elements) } : {}
}

/** The secondary networks that a pod requests. */
export const requestedNetworksOf = (pod: KubeObject): JsonMap[] => listIn(pod, requestAnnotation)

/** The names of the pod's NICs on secondary networks. */
export const podNicsOf = (pod: KubeObject): ReadonlySet<string> =>
  new Set(listIn(pod, statusAnnotation).map((status) => read.text(status.interface)))

/** Attaches the requested networks when the pod starts. They do not change afterwards. */
export function withNetworks(client: Client, pod: KubeObject): KubeObject {
  const statuses = requestedNetworksOf(pod).map(({ name, namespace, interface: nic, mac }) =>
    filled({ name: `${read.text(namespace)}/${read.text(name)}`, interface: nic, mac, dns: {} }),
  )
  if (statuses.length === 0) return pod
  const annotations = { ...pod.metadata.annotations, [statusAnnotation]: JSON.stringify(statuses) }
  return client.change('pods', pod, { ...pod, metadata: { ...pod.metadata, annotations } })
}

/** Reads an annotation that holds a JSON list, as KubeVirt and Multus write it. */
function listIn({ metadata: { annotations = {} } }: KubeObject, name: string): JsonMap[] {
  try {
    // `JSON.parse` returns only JSON values.
    return read.maps(JSON.parse(annotations[name] ?? '[]') as Json)
  } catch {
    return []
  }
}
