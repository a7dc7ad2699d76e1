import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { type WriteOptions } from './options.ts'
import { duplicateFields } from './duplicate-fields.ts'
import { type WrongType, checkSchema } from '../../objects/schema-check.ts'
import { refuse } from '../../objects/status.ts'

export function parseJson(text: string, refusal: (why: string) => Error): Json {
  try {
    // JSON.parse yields nothing else.
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

export interface Checked {
  object: KubeObject
  warnings: string[]
}

/** Fields that the client named more than once. */
export interface Repeats {
  each: readonly string[]
  /** All of them in one sentence, as a strict client is told. */
  together: string
}

export function repeatsInJson(text: string): Repeats {
  const each = (text.startsWith('{') ? duplicateFields(text) : []).map(
    (path) => `duplicate field "${path}"`,
  )
  return { each, together: each.join(', ') }
}

interface Leniency extends Pick<WriteOptions, 'fieldValidation'> {
  repeats?: Repeats
  /** How a strict client is refused; a patch is told differently. */
  refusal?: (why: string) => Error
}

/**
 * Brings any body to the shape that the schema allows: what is unknown is cut and warned of, or
 * refused when the client is strict.
 */
export function checked(
  resource: Resource,
  value: JsonMap,
  { fieldValidation, repeats, refusal }: Leniency,
): Checked {
  const { pruned, unknown, wrongTypes } = checkSchema(value, resource.schema)
  // What is wrong below the metadata of a custom kind is the schema's to say, after admission.
  const wrong = resource.custom
    ? wrongTypes.find(({ path }) => path.startsWith('metadata'))
    : wrongTypes[0]
  if (wrong) throw wrongType(resource, wrong)
  const { each, together } = doubts(unknown, repeats)
  if (together !== '' && fieldValidation === 'Strict') {
    const why = `strict decoding error: ${together}`
    throw refusal?.(why) ?? refuse.badRequest(`${cannotBeHandled(resource)}: ${why}`)
  }
  const warnings =
    fieldValidation === 'Ignore' ? [] : each.map((sentence) => `299 - ${JSON.stringify(sentence)}`)
  // The schema check just proved metadata to be an object of known fields.
  return {
    object: { ...(pruned as KubeObject), metadata: withoutEmpty((pruned as KubeObject).metadata) },
    warnings,
  }
}

/** Everything that makes one wonder whether the client meant what it sent. */
function doubts(unknown: readonly string[], { each, together }: Repeats = noRepeats): Repeats {
  const fields = unknown.map((path) => `unknown field "${path}"`)
  return {
    each: [...each, ...fields],
    together: [...(each.length > 0 ? [together] : []), ...fields].join(', '),
  }
}

const noRepeats: Repeats = { each: [], together: '' }

const cannotBeHandled = ({ kind, version }: Resource): string =>
  `${kind} in version "${version}" cannot be handled as a ${kind}`

/** Empty metadata collections are not kept: `finalizers: []` means none. */
function withoutEmpty(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const collections = ['labels', 'annotations', 'finalizers', 'ownerReferences']
  const kept = Object.entries(metadata).filter(
    ([key, value]) => !collections.includes(key) || Object.keys(value ?? {}).length > 0,
  )
  // Only collections were left out.
  return Object.fromEntries(kept) as KubeObject['metadata']
}

/** The sentence of Go's JSON decoder, as far as it can be told without Go's types. */
function wrongType(resource: Resource, { field, got, schema }: WrongType): Error {
  const { [got]: seen = got } = goValues
  return refuse.badRequest(
    `${cannotBeHandled(resource)}: json: cannot unmarshal ${seen} into Go struct field ${structOf(resource, field)}.${field} of type ${goType(schema)}`,
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
