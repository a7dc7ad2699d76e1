import { type Json, type JsonMap, type KubeObject, isMap } from './types.ts'
import { type Resource, type Schema, apiVersionOf } from './resource.ts'
import { type Call } from './request.ts'
import { type WriteOptions } from './options.ts'
import { duplicateFields } from './duplicate-fields.ts'
import { type WrongType, checkSchema } from './schema-check.ts'
import { refuse } from './status.ts'
import { mediaTypes } from './forms.ts'
import { YamlMistake } from './yaml/mistakes.ts'
import { readProtobuf } from './protobuf/read.ts'
import { WireMistake } from './protobuf/wire.ts'
import { type YamlValue, readYaml } from './yaml/read.ts'

/** The object in the body of a create or replace, checked; kind and version are taken from the path where it leaves them out. */
export function objectInBody(call: Call, options: Pick<WriteOptions, 'fieldValidation'>): Checked {
  const { resource, body } = call
  const reader = readers[contentTypeOf(call)]
  if (!reader) throw refuse.unsupportedMedia(mediaTypes)
  const text = body.toString('utf8')
  const { value, repeats } = reader(resource, body)
  if (!isMap(value))
    throw unrecognised(resource, text, `${notTold}json: cannot unmarshal ${goKind(value)} into Go value of type ${findKind}`)
  return checked(resource, typed(resource, value), { ...options, repeats })
}

const notTold = "couldn't get version/kind; json parse error: "
const findKind = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

const goKind = (value: Json): string => (Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value)

export const contentTypeOf = ({ request }: Call): string => (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''

const readers: Readonly<Record<string, (resource: Resource, body: Buffer) => InBody>> = {
  '': (resource, body) => jsonIn(resource, body.toString('utf8')),
  'application/json': (resource, body) => jsonIn(resource, body.toString('utf8')),
  'application/yaml': (resource, body) => yamlIn(resource, body.toString('utf8')),
  'application/vnd.kubernetes.protobuf': protobufIn,
}

/** Kinds that are not known in this encoding are refused as if none were. */
function protobufIn(resource: Resource, body: Buffer): InBody {
  const value = parseProtobuf(body, (why) => unrecognised(resource, body.toString('latin1'), why))
  return { value, repeats: { each: [], together: '' } }
}

export function parseProtobuf(body: Buffer, refusal: (why: string) => Error): JsonMap {
  try {
    const value = readProtobuf(body)
    if (value) return value
  } catch (error) {
    if (error instanceof WireMistake) throw refusal(error.message)
    throw error
  }
  throw refuse.unsupportedMedia(mediaTypes.slice(0, 2))
}

interface InBody {
  value: Json
  repeats: Repeats
}

function jsonIn(resource: Resource, text: string): InBody {
  const value = parseJson(text, (why) => unrecognised(resource, text, `${notTold}${why}`))
  return { value, repeats: repeatsInJson(text) }
}

function yamlIn(resource: Resource, text: string): InBody {
  const { value, repeated } = parseYaml(text, (why) => unrecognised(resource, text, why))
  return { value: value ?? {}, repeats: { each: repeated, together: `yaml: unmarshal errors:\n  ${repeated.join('\n  ')}` } }
}

export function parseYaml(text: string, refusal: (why: string) => Error): YamlValue {
  try {
    return readYaml(text)
  } catch (error) {
    if (error instanceof YamlMistake) throw refusal(error.message)
    throw error
  }
}

const unrecognised = (resource: Resource, text: string, why: string) =>
  refuse.badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary(text)})`)

const summaryBytes = 30

/** The beginning of what was sent; what does not look like JSON may be anything and is shown in hex. */
function summary(text: string): string {
  if (text === '') return '<empty>'
  const bytes = Buffer.from(text)
  const start = bytes.subarray(0, summaryBytes)
  return `${start.toString(text.startsWith('{') ? 'utf8' : 'hex')}${bytes.length > summaryBytes ? ' ...' : ''}`
}

export function parseJson(text: string, refusal: (why: string) => Error): Json {
  try {
    // JSON.parse yields nothing else.
    return JSON.parse(text) as Json
  } catch (error) {
    const sentence = error instanceof Error ? error.message : ''
    throw refusal(/end of JSON|Unterminated|Expected .* after/.test(sentence) ? 'unexpected end of JSON input' : sentence)
  }
}

function typed(resource: Resource, value: JsonMap): JsonMap {
  const { kind = resource.kind, apiVersion = apiVersionOf(resource) } = value
  if (kind !== resource.kind || apiVersion !== apiVersionOf(resource)) {
    const [version = ''] = String(apiVersion).split('/').reverse()
    throw refuse.badRequest(
      `${kind} in version "${version}" cannot be handled as a ${resource.kind}: no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    )
  }
  return { ...value, kind, apiVersion, metadata: isMap(value.metadata) ? value.metadata : {} }
}

export interface Checked {
  object: KubeObject
  warnings: string[]
}

/** Fields that the client named more than once. */
interface Repeats {
  each: readonly string[]
  /** All of them in one sentence, as a strict client is told. */
  together: string
}

export function repeatsInJson(text: string): Repeats {
  const each = (text.startsWith('{') ? duplicateFields(text) : []).map((path) => `duplicate field "${path}"`)
  return { each, together: each.join(', ') }
}

interface Leniency extends Pick<WriteOptions, 'fieldValidation'> {
  repeats?: Repeats
  /** How a strict client is refused; a patch is told differently. */
  refusal?: (why: string) => Error
}

/** Brings any body to the shape that the schema allows: what is unknown is cut and warned of, or refused when the client is strict. */
export function checked(resource: Resource, value: JsonMap, { fieldValidation, repeats, refusal }: Leniency): Checked {
  const { pruned, unknown, wrongTypes } = checkSchema(value, resource.schema)
  // What is wrong below the metadata of a custom kind is the schema's to say, after admission.
  const wrong = resource.custom ? wrongTypes.find(({ path }) => path.startsWith('metadata')) : wrongTypes[0]
  if (wrong) throw wrongType(resource, wrong)
  const unknownFields = unknown.map((path) => `unknown field "${path}"`)
  const doubtful = fieldValidation === 'Ignore' ? [] : [...(repeats?.each ?? []), ...unknownFields]
  if (doubtful.length > 0 && fieldValidation === 'Strict') {
    const told = repeats && repeats.each.length > 0 ? [repeats.together] : []
    const why = `strict decoding error: ${[...told, ...unknownFields].join(', ')}`
    throw refusal?.(why) ?? refuse.badRequest(`${cannotBeHandled(resource)}: ${why}`)
  }
  const warnings = doubtful.map((each) => `299 - ${JSON.stringify(each)}`)
  // The schema check just proved metadata to be an object of known fields.
  return { object: { ...(pruned as KubeObject), metadata: withoutEmpty((pruned as KubeObject).metadata) }, warnings }
}

const cannotBeHandled = ({ kind, version }: Resource): string => `${kind} in version "${version}" cannot be handled as a ${kind}`

/** Empty metadata collections are not kept: `finalizers: []` means none. */
function withoutEmpty(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const collections = ['labels', 'annotations', 'finalizers', 'ownerReferences']
  const kept = Object.entries(metadata).filter(([key, value]) => !collections.includes(key) || Object.keys(value ?? {}).length > 0)
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
