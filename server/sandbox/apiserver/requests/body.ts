import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { type Call } from '../request.ts'
import { type WriteOptions } from './options.ts'
import {
  type CheckedBody,
  type DuplicateFields,
  checked,
  parseJson,
  duplicatesInJson,
} from './decode.ts'
import { mediaTypes } from './media-types.ts'
import { parseProtobuf, parseYaml } from './parsers.ts'
import { refuse } from '../../objects/status.ts'

/**
 * Decodes and checks the object in the body of a create or replace. A missing kind or apiVersion
 * comes from the path.
 */
export function objectInBody(
  call: Call,
  options: Pick<WriteOptions, 'fieldValidation'>,
): CheckedBody {
  const { resource, body } = call
  const reader = readers[contentTypeOf(call)]
  if (!reader) throw refuse.unsupportedMedia(mediaTypes)
  const text = body.toString('utf8')
  const { value, repeats } = reader(resource, body)
  if (!isMap(value))
    throw unrecognised(
      resource,
      text,
      `${versionParseError}json: cannot unmarshal ${goKind(value)} into Go value of type ${findKind}`,
    )
  return checked(resource, typed(resource, value), { ...options, repeats })
}

const versionParseError = "couldn't get version/kind; json parse error: "
const findKind =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

const goKind = (value: Json): string =>
  Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value

export const contentTypeOf = ({ request }: Call): string =>
  (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''

const readers: Readonly<Record<string, (resource: Resource, body: Buffer) => DecodedBody>> = {
  '': (resource, body) => jsonIn(resource, body.toString('utf8')),
  'application/json': (resource, body) => jsonIn(resource, body.toString('utf8')),
  'application/yaml': (resource, body) => yamlIn(resource, body.toString('utf8')),
  'application/vnd.kubernetes.protobuf': protobufIn,
}

/** Decodes protobuf. A kind without a message table gets the error of an unsupported media type. */
function protobufIn(resource: Resource, body: Buffer): DecodedBody {
  const value = parseProtobuf(body, (why) => unrecognised(resource, body.toString('latin1'), why))
  return { value, repeats: { each: [], together: '' } }
}

interface DecodedBody {
  value: Json
  repeats: DuplicateFields
}

function jsonIn(resource: Resource, text: string): DecodedBody {
  const value = parseJson(text, (why) => unrecognised(resource, text, `${versionParseError}${why}`))
  return { value, repeats: duplicatesInJson(text) }
}

function yamlIn(resource: Resource, text: string): DecodedBody {
  const { value, repeated } = parseYaml(text, (why) => unrecognised(resource, text, why))
  return {
    value: value ?? {},
    repeats: { each: repeated, together: `yaml: unmarshal errors:\n  ${repeated.join('\n  ')}` },
  }
}

const unrecognised = (resource: Resource, text: string, why: string) =>
  refuse.badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary(text)})`,
  )

const summaryBytes = 30

/**
 * Returns the start of the body for an error message. Text that does not look like JSON is shown in
 * hex.
 */
function summary(text: string): string {
  if (text === '') return '<empty>'
  const bytes = Buffer.from(text)
  const start = bytes.subarray(0, summaryBytes)
  return `${start.toString(text.startsWith('{') ? 'utf8' : 'hex')}${bytes.length > summaryBytes ? ' ...' : ''}`
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
