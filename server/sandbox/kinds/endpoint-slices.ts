import { isIP } from 'node:net'
import { type Cause } from '../objects/cause.ts'
import { type KindHooks } from '../objects/resource.ts'
import { type Json, type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import * as schemaTypes from '../objects/schema.ts'

const { anything, atomic, atomicList, each, flag, int, object, setOf, structOf, text, textMap } =
  schemaTypes

const endpoint = object({
  addresses: setOf(text),
  conditions: object(each(flag, 'ready', 'serving', 'terminating')),
  deprecatedTopology: textMap,
  hints: anything,
  ...each(text, 'hostname', 'nodeName', 'zone'),
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
  addressType: text,
  endpoints: atomicList(endpoint),
  ports: atomicList(object({ ...each(text, 'appProtocol', 'name', 'protocol'), port: int })),
})

const families = { IPv4: 4, IPv6: 6 } as const
const types = ['FQDN', 'IPv4', 'IPv6']
const mostEndpoints = 1_000

/** The API server's own validation of an EndpointSlice. The sandbox routes no traffic by it. */
export const endpointSliceHooks: KindHooks = {
  validate: (slice, old) => [...typeCauses(slice, old), ...endpointCauses(slice)],
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})

function typeCauses({ addressType }: KubeObject, old: KubeObject | null): Cause[] {
  const field = 'addressType'
  if ((addressType ?? '') === '')
    return [{ reason: 'FieldValueRequired', message: 'Required value', field }]
  const shown = JSON.stringify(addressType)
  const supported = types.map((each) => `"${each}"`).join(', ')
  if (!types.includes(String(addressType)))
    return [
      {
        reason: 'FieldValueNotSupported',
        message: `Unsupported value: ${shown}: supported values: ${supported}`,
        field,
      },
    ]
  if (old === null || old.addressType === addressType) return []
  return [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${shown}: field is immutable`, field },
  ]
}

function endpointCauses({ addressType, endpoints }: KubeObject): Cause[] {
  const all = listOf(endpoints)
  const tooMany: Cause = {
    reason: 'FieldValueTooMany',
    message: `Too many: ${all.length}: must have at most ${mostEndpoints} items`,
    field: 'endpoints',
  }
  return [
    ...(all.length > mostEndpoints ? [tooMany] : []),
    ...all.flatMap((each, index) =>
      addressCauses(
        listOf(mapOf(each)['addresses']),
        String(addressType),
        `endpoints[${index}].addresses`,
      ),
    ),
  ]
}

function addressCauses(addresses: readonly Json[], type: string, field: string): Cause[] {
  if (addresses.length === 0)
    return [
      {
        reason: 'FieldValueRequired',
        message: 'Required value: must contain at least 1 address',
        field,
      },
    ]
  if (type !== 'IPv4' && type !== 'IPv6') return []
  const family = families[type]
  return addresses.flatMap((address, index) =>
    isIP(String(address)) === family
      ? []
      : [
          {
            reason: 'FieldValueInvalid',
            message: `Invalid value: ${JSON.stringify(address)}: must be a valid ${type} address${type === 'IPv4' ? ', (e.g. 10.9.8.7)' : ''}`,
            field: `${field}[${index}]`,
          },
        ],
  )
}
