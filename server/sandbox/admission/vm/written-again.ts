import { type Schema } from '../../objects/resource.ts'
import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import * as words from '../../objects/schema.ts'
import { canonical } from '../../quantity.ts'

/**
 * What Go cannot tell from a field that was left out, because it holds the value itself and not a
 * pointer to it.
 */
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
 * A value as a webhook sends it back: decoded into Go's types and written from them, so that empty
 * fields go and quantities are canonical.
 */
export function writtenAgain(value: Json, schema: Schema): Json {
  if (schema === words.quantity) return canonical(value)
  if (Array.isArray(value)) return value.map((item) => writtenAgain(item, schema.items ?? {}))
  return isMap(value) ? fieldsAgain(value, schema) : value
}

function fieldsAgain(value: JsonMap, schema: Schema): JsonMap {
  const again: JsonMap = zeroesOf(schema)
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties ?? {}
    if (child !== undefined && isKept(schema, key, child))
      again[key] = writtenAgain(child, childSchema)
  }
  return again
}

const isKept = ({ properties, required = [] }: Schema, key: string, child: Json): boolean =>
  properties === undefined || required.includes(key) || !isLeftOut(properties, key, child)

/** The fields that must be there, as they are where nobody fills them. */
function zeroesOf({ properties = {}, required = [] }: Schema): JsonMap {
  const entries = required.map((key) => [key, zeroes[properties[key]?.type ?? 'object']] as const)
  return Object.fromEntries(entries.filter(([, zero]) => zero !== undefined))
}

/** What Go writes for a field that must be there and is not. */
const zeroes: Readonly<Record<string, Json>> = { string: '', boolean: false, integer: 0, number: 0 }

function isLeftOut(
  properties: Readonly<Record<string, Schema>>,
  key: string,
  child: Json,
): boolean {
  if (child === '' || child === null || (Array.isArray(child) && child.length === 0)) return true
  if (child !== false && child !== 0) return false
  // A CD-ROM is read-only until somebody says that it is not.
  return plainFields.has(key) && !(key === 'readonly' && properties.tray !== undefined)
}
