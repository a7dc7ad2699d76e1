import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../objects/cause.ts'
import { type WebhookRequest } from '../objects/resource.ts'
import { invalidObject } from '../objects/status.ts'
import { type Json, type JsonMap, type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'

const firstPort = 30_000
const lastPort = 32_767

/** Allocates the cluster IP and the node ports of a Service, each unique in the cluster. */
export function admitService(request: WebhookRequest): KubeObject {
  const { object, old } = request
  const written = read.spec(object)
  const isClosed = old !== null && !isOpen(written)
  const spec = isClosed
    ? withoutUnchanged(written, read.spec(old), ['externalTrafficPolicy'])
    : written
  if (spec.type === 'ExternalName')
    return { ...object, spec: withoutAddress(spec, old ? read.spec(old) : {}) }
  const otherServices = request
    .list('services')
    .filter(({ metadata }) => metadata.uid !== (old ?? object).metadata.uid)
  return {
    ...object,
    spec: {
      ...spec,
      ...addressOf(spec, old, otherServices),
      ...portsOf(request, spec, otherServices),
    },
  }
}

/** An update without a cluster IP keeps the allocated one. */
function addressOf(
  spec: JsonMap,
  old: KubeObject | null,
  otherServices: readonly KubeObject[],
): JsonMap {
  const knownClusterIp = read.text(spec.clusterIP) || read.text(old ? read.spec(old).clusterIP : '')
  const clusterIP = knownClusterIp === '' ? freeAddress(otherServices) : knownClusterIp
  const families = clusterIP === 'None' && spec.selector === undefined ? bothFamilies : oneFamily
  return { ...families, ...spec, clusterIP, clusterIPs: [clusterIP] }
}

const oneFamily = { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
/** Clients manage the endpoints of a headless Service without a selector. */
const bothFamilies = { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }

const addressFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
const policyFields = ['internalTrafficPolicy', 'externalTrafficPolicy']

/** The spec without these fields where they equal those of the old one. */
const withoutUnchanged = (spec: JsonMap, old: JsonMap, fields: readonly string[]): JsonMap =>
  Object.fromEntries(
    Object.entries(spec).filter(
      ([key, value]) => !fields.includes(key) || !isDeepStrictEqual(value, old[key]),
    ),
  )

/** An ExternalName has no address in the cluster. */
const withoutAddress = (spec: JsonMap, old: JsonMap): JsonMap =>
  withoutUnchanged(spec, old, [...addressFields, ...policyFields])

/** The first free address of 10.96.0.0/16, after ten for the cluster's own Services. */
function freeAddress(otherServices: readonly KubeObject[]): string {
  const taken = new Set(otherServices.map((other) => read.text(read.spec(other).clusterIP)))
  let index = 10
  while (taken.has(addressAt(index))) index += 1
  return addressAt(index)
}

const addressAt = (index: number): string => `10.96.${index >> 8}.${index & 255}`

const isOpen = ({ type }: JsonMap): boolean => type === 'NodePort' || type === 'LoadBalancer'

const nodePortsOf = (service: KubeObject): number[] =>
  read
    .maps(read.spec(service).ports)
    .flatMap(({ nodePort }) => (typeof nodePort === 'number' && nodePort !== 0 ? [nodePort] : []))

function portsOf(
  { resource, object, old }: WebhookRequest,
  spec: JsonMap,
  otherServices: readonly KubeObject[],
): JsonMap {
  const ports = read.maps(spec.ports)
  if (ports.length === 0) return {}
  if (!isOpen(spec))
    return old && isOpen(read.spec(old))
      ? { ports: ports.map(({ nodePort: _left, ...port }) => port) }
      : {}
  const taken = new Set(otherServices.flatMap(nodePortsOf))
  const causes = ports.flatMap((port, index) => {
    const before = ports.slice(0, index).filter(({ protocol }) => protocol === port.protocol)
    const all = taken.union(new Set(before.map(({ nodePort }) => Number(nodePort ?? 0))))
    return portCauses(port.nodePort, `spec.ports[${index}].nodePort`, all)
  })
  if (causes.length > 0) throw invalidObject(resource, object.metadata.name, causes)
  const knownPorts = ports.map((each) => Number(each.nodePort ?? 0) || portBefore(old, each))
  for (const port of knownPorts) taken.add(port)
  return {
    ports: ports.map((port, index) => ({
      ...port,
      nodePort: knownPorts[index] || freePort(taken),
    })),
  }
}

function portBefore(old: KubeObject | null, { port, protocol }: JsonMap): number {
  const same = old
    ? read
        .maps(read.spec(old).ports)
        .find((each) => each.port === port && each.protocol === protocol)
    : undefined
  return Number(same?.nodePort ?? 0)
}

function portCauses(
  nodePort: Json | undefined,
  field: string,
  taken: ReadonlySet<number>,
): Cause[] {
  const port = Number(nodePort ?? 0)
  if (port === 0) return []
  const refused = (why: string): Cause[] => [
    { reason: 'FieldValueInvalid', field, message: `Invalid value: ${port}: ${why}` },
  ]
  if (port < firstPort || port > lastPort)
    return refused(
      `provided port is not in the valid range. The range of valid ports is ${firstPort}-${lastPort}`,
    )
  return taken.has(port) ? refused('provided port is already allocated') : []
}

/** Picks a random free node port, as Kubernetes does, so that clients do not rely on a port. */
function freePort(taken: Set<number>): number {
  const size = lastPort - firstPort + 1
  const start = randomInt(size)
  const port =
    Array.from({ length: size }, (_, index) => firstPort + ((start + index) % size)).find(
      (each) => !taken.has(each),
    ) ?? 0
  taken.add(port)
  return port
}
