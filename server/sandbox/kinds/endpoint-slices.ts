import { isIP } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { endpointCauses, ipCauses } from '../objects/addresses.ts'
import { type Cause, causes, choice, problems, repetitions } from '../objects/cause.ts'
import { formats } from '../objects/formats.ts'
import { read } from '../objects/read.ts'
import { type KindHooks } from '../objects/resource.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import * as schemaTypes from '../objects/schema.ts'

const {
  atomic,
  atomicList,
  each,
  flag,
  int,
  pointer,
  object,
  orNull,
  setOf,
  structOf,
  text,
  textMap,
  written,
} = schemaTypes

const endpoint = object({
  addresses: orNull(setOf(text)),
  conditions: written(object(each(pointer(flag), 'ready', 'serving', 'terminating'))),
  deprecatedTopology: textMap,
  hints: object(each(atomicList(structOf(written(text), 'name')), 'forNodes', 'forZones')),
  ...each(pointer(text), 'hostname', 'nodeName', 'zone'),
  targetRef: atomic(
    structOf(
      text,
      'apiVersion',
      'fieldPath',
      'kind',
      'name',
      'namespace',
      'resourceVersion',
      'uid',
    ),
  ),
})

export const endpointSliceSchema = object({
  addressType: written(text),
  endpoints: orNull(atomicList(endpoint)),
  ports: orNull(
    atomicList(
      object({ ...each(pointer(text), 'appProtocol', 'name', 'protocol'), port: pointer(int) }),
    ),
  ),
})

const types = ['FQDN', 'IPv4', 'IPv6']
const protocols = ['SCTP', 'TCP', 'UDP']
const most = { addresses: 100, endpoints: 1_000, ports: 20_000 }

/** The API server's own rules for an EndpointSlice. The sandbox routes no traffic by it. */
export const endpointSliceHooks: KindHooks = {
  normalise: (slice) => ({
    ...slice,
    ports: Array.isArray(slice.ports) ? read.maps(slice.ports).map(withPortDefaults) : null,
  }),
  validate: (slice, old) => [
    ...typeCauses(slice, old),
    ...portCauses(read.maps(slice.ports)),
    // Older versions accepted endpoints that are invalid now, so unchanged ones stay.
    ...(old && isDeepStrictEqual(old.endpoints, slice.endpoints) ? [] : endpointsCauses(slice)),
  ],
}

const withPortDefaults = (port: JsonMap): JsonMap => ({ name: '', protocol: 'TCP', ...port })

function typeCauses({ addressType }: KubeObject, old: KubeObject | null): Cause[] {
  const field = 'addressType'
  if ((addressType ?? '') === '') return [causes.required(field)]
  const wrong = choice(field, addressType, types)
  if (wrong.length > 0 || old === null || old.addressType === addressType) return wrong
  return [causes.invalid(field, addressType, 'field is immutable')]
}

function portCauses(ports: readonly JsonMap[]): Cause[] {
  if (ports.length > most.ports) return [causes.tooMany('ports', ports.length, most.ports)]
  const names = ports.map(({ name }) => name)
  return ports.flatMap(({ name, protocol, appProtocol }, index) => {
    const field = `ports[${index}]`
    return [
      ...(name === '' ? [] : problems(`${field}.name`, name, formats.label(String(name)))),
      ...(names.indexOf(name) < index ? [causes.duplicate(`${field}.name`, name)] : []),
      ...choice(`${field}.protocol`, protocol, protocols),
      ...(appProtocol === undefined
        ? []
        : problems(
            `${field}.appProtocol`,
            appProtocol,
            formats.qualifiedName(String(appProtocol)),
          )),
    ]
  })
}

function endpointsCauses({ addressType, endpoints }: KubeObject): Cause[] {
  const all = read.maps(endpoints)
  if (all.length > most.endpoints) return [causes.tooMany('endpoints', all.length, most.endpoints)]
  return all.flatMap((each, index) => {
    const field = `endpoints[${index}]`
    const { nodeName, hostname, hints } = each
    return [
      ...addressesCauses(read.texts(each.addresses), String(addressType), `${field}.addresses`),
      ...(nodeName === undefined
        ? []
        : problems(`${field}.nodeName`, nodeName, formats.subdomain(String(nodeName)))),
      ...(hostname === undefined
        ? []
        : problems(`${field}.hostname`, hostname, formats.label(String(hostname)))),
      ...['forZones', 'forNodes'].flatMap((part) =>
        repetitions(
          read.maps(read.map(hints)[part]).map(({ name }) => name),
          (at) => `${field}.hints.${part}[${at}].name`,
        ),
      ),
    ]
  })
}

function addressesCauses(addresses: readonly string[], type: string, field: string): Cause[] {
  if (addresses.length === 0) return [causes.required(field, 'must contain at least 1 address')]
  return [
    ...(addresses.length > most.addresses
      ? [causes.tooMany(field, addresses.length, most.addresses)]
      : []),
    ...addresses.flatMap((address, index) => addressCauses(address, type, { field, index })),
  ]
}

function addressCauses(
  address: string,
  type: string,
  { field, index }: { field: string; index: number },
): Cause[] {
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const at = `${field}[${index}]`
  const wrong = ipCauses(at, address)
  if (wrong.length > 0) return wrong
  return [
    ...(isIP(address) === (type === 'IPv4' ? 4 : 6)
      ? []
      : [causes.invalid(field, address, `must be an ${type} address`)]),
    ...endpointCauses(at, address),
  ]
}
