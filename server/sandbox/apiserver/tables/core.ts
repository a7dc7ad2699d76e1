import { type Json, type KubeObject } from '../../objects/types.ts'
import { age } from './age.ts'
import * as column from './column.ts'
import { type Column, common } from './column.ts'
import { dig } from '../../objects/dig.ts'
import { podSummary, readinessGates } from './pods.ts'

const { text, wide } = column

const orNone = (value: string): string => value || '<none>'

const pods: readonly Column[] = [
  common.name,
  text('Ready', 'Ready containers and all containers of the pod.', (pod) => podSummary(pod).ready),
  text('Status', 'Summary of the container states.', (pod) => podSummary(pod).status),
  text(
    'Restarts',
    'Restarts of the containers, and the time of the last one.',
    (pod) => podSummary(pod).restarts,
  ),
  common.age,
  wide(
    text('IP', 'Address of the pod.', (pod) =>
      orNone(dig.text(dig.list(pod, 'status.podIPs')[0], 'ip') || dig.text(pod, 'status.podIP')),
    ),
  ),
  wide(
    text('Node', 'Node that the pod is bound to.', (pod) => orNone(dig.text(pod, 'spec.nodeName'))),
  ),
  wide(
    text('Nominated Node', 'Node on which pods are preempted for this pod.', (pod) =>
      orNone(dig.text(pod, 'status.nominatedNodeName')),
    ),
  ),
  wide(text('Readiness Gates', 'Further conditions that make the pod ready.', readinessGates)),
]

const namespaces: readonly Column[] = [
  common.name,
  text('Status', 'Active or Terminating.', (namespace) => dig.text(namespace, 'status.phase')),
  common.age,
]

function nodeStatus(node: KubeObject): string {
  const ready = dig
    .list(node, 'status.conditions')
    .find((each) => dig.text(each, 'type') === 'Ready')
  const word =
    ready === undefined ? 'Unknown' : dig.text(ready, 'status') === 'True' ? 'Ready' : 'NotReady'
  return dig.any(node, 'spec.unschedulable') === true ? `${word},SchedulingDisabled` : word
}

function nodeRoles({ metadata }: KubeObject): string {
  const prefix = 'node-role.kubernetes.io/'
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix) && key.length > prefix.length) return [key.slice(prefix.length)]
    return key === 'kubernetes.io/role' && value !== '' ? [value] : []
  })
  return orNone([...new Set(roles)].sort().join(','))
}

const addressOf =
  (type: string) =>
  (node: KubeObject): string =>
    orNone(
      dig.text(
        dig.list(node, 'status.addresses').find((each) => dig.text(each, 'type') === type),
        'address',
      ),
    )

const nodeField =
  (field: string) =>
  (node: KubeObject): string =>
    dig.text(node, `status.nodeInfo.${field}`) || '<unknown>'

const nodes: readonly Column[] = [
  common.name,
  text('Status', 'Readiness of the node.', nodeStatus),
  text('Roles', 'Roles of the node.', nodeRoles),
  common.age,
  text('Version', 'Version of the kubelet on the node.', (node) =>
    dig.text(node, 'status.nodeInfo.kubeletVersion'),
  ),
  wide(text('Internal-IP', 'Address of the node inside the cluster.', addressOf('InternalIP'))),
  wide(text('External-IP', 'External address of the node.', addressOf('ExternalIP'))),
  wide(text('OS-Image', 'System that the node runs.', nodeField('osImage'))),
  wide(text('Kernel-Version', 'Kernel that the node runs.', nodeField('kernelVersion'))),
  wide(
    text(
      'Container-Runtime',
      'Container runtime of the node.',
      nodeField('containerRuntimeVersion'),
    ),
  ),
]

/** Formats labels as sorted `key=value` pairs. */
export const labelText = (labels: Record<string, Json | undefined>): string =>
  orNone(
    Object.entries(labels)
      .map(([key, value]) => `${key}=${String(value)}`)
      .sort()
      .join(','),
  )

function servicePorts(service: KubeObject): string {
  const ports = dig.list(service, 'spec.ports').map((port) => {
    const node = dig.number(port, 'nodePort')
    return `${dig.number(port, 'port')}${node === 0 ? '' : `:${node}`}/${dig.text(port, 'protocol') || 'TCP'}`
  })
  return orNone(ports.join(','))
}

function externalAddress(service: KubeObject): string {
  const type = dig.text(service, 'spec.type')
  const externalIps = dig.texts(service, 'spec.externalIPs')
  if (type === 'ExternalName') return dig.text(service, 'spec.externalName')
  if (type !== 'LoadBalancer') return orNone(externalIps.join(','))
  const balancers = dig
    .list(service, 'status.loadBalancer.ingress')
    .map((each) => dig.text(each, 'ip') || dig.text(each, 'hostname'))
  return [...balancers, ...externalIps].join(',') || '<pending>'
}

const services: readonly Column[] = [
  common.name,
  text('Type', 'Type of the service.', (service) => dig.text(service, 'spec.type')),
  text('Cluster-IP', 'Address of the service inside the cluster.', (service) =>
    orNone(dig.text(service, 'spec.clusterIP')),
  ),
  text('External-IP', 'External addresses of the service.', externalAddress),
  text('Port(s)', 'Ports of the service.', servicePorts),
  common.age,
  wide(
    text('Selector', 'Labels of the pods behind the service.', (service) =>
      labelText(dig.map(service, 'spec.selector')),
    ),
  ),
]

function endpointText(endpoints: KubeObject): string {
  const all = dig.list(endpoints, 'subsets').flatMap((subset) => {
    const ports = dig.list(subset, 'ports').map((port) => dig.number(port, 'port'))
    const addresses = dig.list(subset, 'addresses').map((each) => dig.text(each, 'ip'))
    return addresses.flatMap((ip) =>
      ports.length === 0 ? [ip] : ports.map((port) => `${ip}:${port}`),
    )
  })
  const more = all.length > 3 ? ` + ${all.length - 3} more...` : ''
  return orNone(all.slice(0, 3).join(',') + more)
}

const configMapData =
  "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'. Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the keys in the BinaryData field, this is enforced during validation process."

const sizeOf =
  (...paths: readonly string[]) =>
  (object: KubeObject): number =>
    paths.reduce((sum, path) => sum + Object.keys(dig.map(object, path)).length, 0)

const secrets: readonly Column[] = [
  common.name,
  text('Type', 'Type of the secret.', (secret) => dig.text(secret, 'type')),
  text('Data', 'Number of values in the secret.', sizeOf('data')),
  common.age,
]

const serviceAccounts: readonly Column[] = [
  common.name,
  text(
    'Secrets',
    'Number of secrets of the account.',
    (account) => dig.list(account, 'secrets').length,
  ),
  common.age,
]

/** Formats the used and hard amounts of requests or of limits. */
const quotaText =
  (isLimit: boolean) =>
  (quota: KubeObject): string => {
    const hard = dig.map(quota, 'status.hard')
    const used = dig.map(quota, 'status.used')
    const names = Object.keys(hard)
      .filter((name) => name.startsWith('limits.') === isLimit)
      .sort()
    return names
      .map((name) => `${name}: ${String(used[name] ?? 0)}/${String(hard[name])}`)
      .join(', ')
  }

const quotas: readonly Column[] = [
  common.name,
  text('Request', 'Quota of requests and the used part.', quotaText(false)),
  text('Limit', 'Quota of limits and the used part.', quotaText(true)),
  common.age,
]

const lastObserved = (event: KubeObject): string => {
  const series = dig.text(event, 'series.lastObservedTime')
  return ageOrUnknown(series || dig.text(event, 'lastTimestamp') || dig.text(event, 'eventTime'))
}

const ageOrUnknown = (time: string): string => (time === '' ? '<unknown>' : age(time))

function eventSource(event: KubeObject): string {
  const component = dig.text(event, 'source.component') || dig.text(event, 'reportingComponent')
  const instance = dig.text(event, 'source.host') || dig.text(event, 'reportingInstance')
  return [component, instance].filter((part) => part !== '').join(', ')
}

const events: readonly Column[] = [
  text('Last Seen', 'Time since the last occurrence.', lastObserved),
  text('Type', 'Normal or Warning.', (event) => dig.text(event, 'type')),
  text('Reason', 'Reason of the event in one word.', (event) => dig.text(event, 'reason')),
  text(
    'Object',
    'Object of the event.',
    (event) =>
      `${dig.text(event, 'involvedObject.kind').toLowerCase()}/${dig.text(event, 'involvedObject.name')}`,
  ),
  wide(
    text('Subobject', 'Field of the object.', (event) =>
      dig.text(event, 'involvedObject.fieldPath'),
    ),
  ),
  wide(text('Source', 'Component that reported the event.', eventSource)),
  text('Message', 'Description of the event.', (event) => dig.text(event, 'message').trim()),
  wide(
    text('First Seen', 'Time since the first occurrence.', (event) =>
      ageOrUnknown(dig.text(event, 'firstTimestamp') || dig.text(event, 'eventTime')),
    ),
  ),
  wide(
    text(
      'Count',
      'Number of occurrences.',
      (event) => dig.number(event, 'series.count') || dig.number(event, 'count') || 1,
    ),
  ),
  wide(common.name),
]

/** The columns that kubectl shows for the kinds of the core group, by the name of the resource. */
export const coreColumns: Readonly<Record<string, readonly Column[]>> = {
  pods,
  namespaces,
  nodes,
  services,
  endpoints: [
    common.name,
    text('Endpoints', 'Addresses that receive the requests.', endpointText),
    common.age,
  ],
  secrets,
  configmaps: [common.name, text('Data', configMapData, sizeOf('data', 'binaryData')), common.age],
  serviceaccounts: serviceAccounts,
  resourcequotas: quotas,
  events,
}
