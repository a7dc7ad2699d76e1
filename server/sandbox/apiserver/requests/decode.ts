import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { isQuantity } from '../../objects/schema.ts'
import { numberOf } from '../../quantity.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { type WriteOptions } from './options.ts'
import { duplicateFields } from './duplicate-fields.ts'
import { type WrongType, checkSchema } from '../../objects/schema-check.ts'
import { refuse } from '../../objects/status.ts'

/** Parses a JSON body. The caller supplies the refusal for an invalid one. */
export function parseJson(text: string, refusal: (why: string) => Error): Json {
  try {
    // The cast holds because JSON.parse returns only JSON values.
    return JSON.parse(text) as Json
  } catch (error) {
    const sentence = error instanceof Error ? error.message : ''
    throw refusal(
      /end of JSON|Unterminated|Expected .* after/.test(sentence)
        ? 'unexpected end of JSON input'
        : sentence,
    )
  }
}

/** A body after its fields have been checked against the schema of its kind. */
export interface CheckedBody {
  object: KubeObject
  warnings: string[]
}

/** Duplicate fields in a body. */
export interface DuplicateFields {
  each: readonly string[]
  /** All duplicates in one sentence, for strict field validation. */
  together: string
}

export function duplicatesInJson(text: string): DuplicateFields {
  const each = (text.startsWith('{') ? duplicateFields(text) : []).map(
    (path) => `duplicate field "${path}"`,
  )
  return { each, together: each.join(', ') }
}

interface CheckOptions extends Pick<WriteOptions, 'fieldValidation'> {
  repeats?: DuplicateFields
  /** Creates the refusal for strict validation. A patch has a different text. */
  refusal?: (why: string) => Error
}

/**
 * Prunes a body to its schema. Unknown fields cause a warning, or a refusal with strict field
 * validation.
 */
export function checked(
  resource: Resource,
  value: JsonMap,
  { fieldValidation, repeats, refusal }: CheckOptions,
): CheckedBody {
  const { pruned, unknown, wrongTypes } = checkSchema(value, resource.schema)
  // For a custom kind, the schema validation after admission reports wrong types outside metadata.
  const wrong = resource.custom
    ? wrongTypes.find(({ path }) => path.startsWith('metadata'))
    : wrongTypes[0]
  if (wrong) throw wrongType(resource, wrong)
  if (!resource.custom && hasWrongQuantity(pruned, resource.schema))
    throw refuse.badRequest(`${cannotBeHandled(resource)}: ${quantityFormat}`)
  const { each, together } = fieldProblems(unknown, repeats)
  if (together !== '' && fieldValidation === 'Strict') {
    const why = `strict decoding error: ${together}`
    throw refusal?.(why) ?? refuse.badRequest(`${cannotBeHandled(resource)}: ${why}`)
  }
  const warnings =
    fieldValidation === 'Ignore' ? [] : each.map((sentence) => `299 - ${JSON.stringify(sentence)}`)
  // The casts hold because the schema check has validated metadata.
  return {
    object: { ...(pruned as KubeObject), metadata: withoutEmpty((pruned as KubeObject).metadata) },
    warnings,
  }
}

const quantityFormat =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

/** Quantities of built-in kinds are parsed with the body. */
function hasWrongQuantity(value: Json | undefined, schema: Schema): boolean {
  if (isQuantity(schema)) return value !== undefined && numberOf(value) === null
  if (Array.isArray(value)) return value.some((item) => hasWrongQuantity(item, schema.items ?? {}))
  return (
    isMap(value) &&
    Object.entries(value).some(([key, child]) =>
      hasWrongQuantity(child, schema.properties?.[key] ?? schema.additionalProperties ?? {}),
    )
  )
}

/** Lists duplicate and unknown fields, which are probably mistakes of the client. */
function fieldProblems(
  unknown: readonly string[],
  { each, together }: DuplicateFields = noRepeats,
): DuplicateFields {
  const fields = unknown.map((path) => `unknown field "${path}"`)
  return {
    each: [...each, ...fields],
    together: [...(each.length > 0 ? [together] : []), ...fields].join(', '),
  }
}

const noRepeats: DuplicateFields = { each: [], together: '' }

const cannotBeHandled = ({ kind, version }: Resource): string =>
  `${kind} in version "${version}" cannot be handled as a ${kind}`

/** Removes empty metadata collections: `finalizers: []` means none. */
function withoutEmpty(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const collections = ['labels', 'annotations', 'finalizers', 'ownerReferences']
  const remaining = Object.entries(metadata).filter(
    ([key, value]) => !collections.includes(key) || Object.keys(value ?? {}).length > 0,
  )
  // The cast holds because only optional collections were removed.
  return Object.fromEntries(remaining) as KubeObject['metadata']
}

/** Returns the error text of the Go JSON decoder, as far as it is known without the Go types. */
function wrongType(resource: Resource, { field, got, schema }: WrongType): Error {
  const { [got]: goValue = got } = goValues
  return refuse.badRequest(
    `${cannotBeHandled(resource)}: json: cannot unmarshal ${goValue} into Go struct field ${structOf(resource, field)}.${field} of type ${goType(schema)}`,
  )
}

const goValues: Readonly<Record<string, string>> = { boolean: 'bool', integer: 'number' }

function structOf({ kind }: Resource, field: string): string {
  const [first = '', second, third] = field.split('.')
  if (first === 'metadata' && second !== undefined)
    return second === 'ownerReferences' && third !== undefined ? 'OwnerReference' : 'ObjectMeta'
  return second === undefined ? kind : `${kind}${first.charAt(0).toUpperCase()}${first.slice(1)}`
}

function goType({ type, format, items, additionalProperties }: Schema): string {
  if (items) return `[]${goType(items)}`
  if (additionalProperties) return `map[string]${goType(additionalProperties)}`
  if (type === 'integer') return format ?? 'int64'
  return type === 'boolean' ? 'bool' : (type ?? 'string')
}
