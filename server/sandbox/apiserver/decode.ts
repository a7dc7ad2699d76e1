import { type Json, type JsonMap, type KubeObject, isMap } from './types.ts'
import { type Resource, apiVersionOf } from './resource.ts'
import { type Call } from './request.ts'
import { type WriteOptions } from './options.ts'
import { checkSchema } from './schema-check.ts'
import { refuse } from './status.ts'

const bodyTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** The object in the body of a create or replace, with kind and version taken from the path where it leaves them out. */
export function objectInBody(call: Call): JsonMap {
  const { resource, body } = call
  const type = (call.request.headers['content-type'] ?? 'application/json').split(';')[0]?.trim()
  if (type !== 'application/json' && type !== '') throw refuse.unsupportedMedia(bodyTypes)
  const text = body.toString('utf8')
  const value = parseJson(text, (why) => unrecognised(resource, text, why))
  if (!isMap(value)) throw unrecognised(resource, text, 'json: cannot unmarshal into an object')
  return typed(resource, value)
}

const unrecognised = (resource: Resource, text: string, why: string) =>
  refuse.badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: ${why} (${text === '' ? '<empty>' : text.slice(0, 200)})`,
  )

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

/** Brings any body to the shape that the schema allows: unknown fields are cut and warned of, or refused when the client is strict. */
export function checked(resource: Resource, value: JsonMap, options: Pick<WriteOptions, 'fieldValidation'>): Checked {
  const { pruned, unknown, wrongTypes } = checkSchema(value, resource.schema)
  // What is wrong below the metadata of a custom kind is the schema's to say, after admission.
  const wrong = resource.custom ? wrongTypes.find(({ path }) => path.startsWith('metadata')) : wrongTypes[0]
  if (wrong) throw wrongType(resource, wrong)
  if (unknown.length > 0 && options.fieldValidation === 'Strict') {
    const list = unknown.map((path) => `unknown field "${path}"`).join(', ')
    throw refuse.badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: strict decoding error: ${list}`,
    )
  }
  const warnings = options.fieldValidation === 'Warn' ? unknown.map((path) => `299 - "unknown field \\"${path}\\""`) : []
  // The schema check just proved metadata to be an object of known fields.
  return { object: { ...(pruned as KubeObject), metadata: withoutEmpty((pruned as KubeObject).metadata) }, warnings }
}

/** Empty metadata collections are not kept: `finalizers: []` means none. */
function withoutEmpty(metadata: KubeObject['metadata']): KubeObject['metadata'] {
  const collections = ['labels', 'annotations', 'finalizers', 'ownerReferences']
  const kept = Object.entries(metadata).filter(([key, value]) => !collections.includes(key) || Object.keys(value ?? {}).length > 0)
  // Only collections were left out.
  return Object.fromEntries(kept) as KubeObject['metadata']
}

function wrongType(resource: Resource, { path, got, want }: { path: string; got: string; want: string }): Error {
  const owner = path.startsWith('metadata.') ? 'ObjectMeta' : resource.kind
  return refuse.badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: json: cannot unmarshal ${goTypes[got] ?? got} into Go struct field ${owner}.${path} of type ${want}`,
  )
}

const goTypes: Readonly<Record<string, string>> = { boolean: 'bool', integer: 'number' }
