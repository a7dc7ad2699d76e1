import { type Schema } from '../../objects/resource.ts'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import * as schemaTypes from '../../objects/schema.ts'
import { canonical } from '../../quantity.ts'

/** Fields that Go holds by value, so that a zero value looks like a missing field. */
const plainFields = new Set([
  'cores',
  'sockets',
  'maxSockets',
  'threads',
  'logical',
  'physical',
  'dedicatedCpuPlacement',
  'isolateEmulatorThread',
  'overcommitGuestOverhead',
  'disableHotplug',
  'readonly',
  'readOnly',
  'reservation',
  'hotpluggable',
  'endOfInterrupt',
  'hidden',
  'default',
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
])

/**
 * Returns the value after a round trip through Go types, as a webhook returns it. Empty fields
 * disappear and quantities become canonical.
 */
export function reserialized(value: Json, schema: Schema): Json {
  if (schema === schemaTypes.quantity) return canonical(value)
  if (Array.isArray(value)) return value.map((item) => reserialized(item, schema.items ?? {}))
  return isMap(value) ? reserializedFields(value, schema) : value
}

function reserializedFields(value: JsonMap, schema: Schema): JsonMap {
  const result: JsonMap = zeroesOf(schema)
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties ?? {}
    if (child !== undefined && isRetained(schema, key, child))
      result[key] = reserialized(child, childSchema)
  }
  return result
}

const isRetained = ({ properties, required = [] }: Schema, key: string, child: Json): boolean =>
  properties === undefined || required.includes(key) || !isLeftOut(properties, key, child)

/** The required fields with their zero values. */
function zeroesOf({ properties = {}, required = [] }: Schema): JsonMap {
  const entries = required.map((key) => [key, zeroes[properties[key]?.type ?? 'object']] as const)
  return Object.fromEntries(entries.filter(([, zero]) => zero !== undefined))
}

/** The zero values that Go writes for missing required fields. */
const zeroes: Readonly<Record<string, Json>> = { string: '', boolean: false, integer: 0, number: 0 }

function isLeftOut(
  properties: Readonly<Record<string, Schema>>,
  key: string,
  child: Json,
): boolean {
  if (child === '' || child === null || (Array.isArray(child) && child.length === 0)) return true
  if (child !== false && child !== 0) return false
  // A CD-ROM is read-only by default, so an explicit false stays.
  return plainFields.has(key) && !(key === 'readonly' && properties.tray !== undefined)
}
