/** The part of an OpenAPI 3.1 document that the check compares. */
export interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components?: { schemas?: Readonly<Record<string, Schema>> }
}

interface Operation {
  operationId?: string
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Readonly<Record<string, Response>>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

interface Response {
  headers?: Readonly<Record<string, object>>
  content?: Content
}

type Content = Readonly<Record<string, { schema: Schema }>>

interface Schema {
  type?: string | readonly string[]
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  anyOf?: readonly Schema[]
  $ref?: string
  pattern?: string
  minimum?: number
  minLength?: number
  minItems?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
}

/** A value of the earlier and of the later document, and where it is. */
interface Pair<Value> {
  before: Value
  after: Value
  at: string
}

/**
 * Describes the changes of an OpenAPI document that break its clients. It compares what requests
 * and responses contain, so that a schema may get another name or none.
 */
export function openApiBreaks(before: OpenApiDocument, after: OpenApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const at = `${method.toUpperCase()} ${path}`
      const now = after.paths[path]?.[method]
      if (!now) return [`${at}: the operation is gone`]
      const pair = {
        before: resolved(operation, before),
        after: resolved(now, after),
        at,
      }
      return [
        ...nameBreaks(pair),
        ...parameterBreaks(pair),
        ...bodyBreaks(pair),
        ...responseBreaks(pair),
      ]
    }),
  )
}

/**
 * Returns a part of a document in which each reference is replaced by its schema, and `anyOf` with
 * null by a type with null.
 */
function resolved<Part>(part: Part, document: OpenApiDocument): Part {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    if ('anyOf' in value) return orNull(resolve(value.anyOf))
    const name = '$ref' in value ? String(value.$ref).split('/').at(-1) : undefined
    const target = name === undefined ? value : (document.components?.schemas?.[name] ?? {})
    return Object.fromEntries(
      Object.entries(target).map(([key, child]: [string, unknown]) => [key, resolve(child)]),
    )
  }
  // Only schemas change, and they allow the same values.
  return resolve(part) as Part
}

/** Returns one schema for a choice between it and null, which is the only choice that is used. */
function orNull(choices: unknown): Schema {
  const schemas = Array.isArray(choices) ? (choices as Schema[]) : []
  const [schema, ...rest] = schemas.filter(({ type }) => type !== 'null')
  if (!schema || rest.length > 0 || schemas.length !== 2)
    throw new TypeError('the check cannot compare anyOf without null')
  return { ...schema, type: [...typesOf(schema), 'null'] }
}

/** Generated clients name their methods after the operation ids, some in another case. */
function nameBreaks({ before, after, at }: Pair<Operation>): string[] {
  const [old = '', now = ''] = [before.operationId, after.operationId]
  return old.toLowerCase() === now.toLowerCase() ? [] : [`${at}: ${old} is now called ${now}`]
}

function parameterBreaks({ before, after, at }: Pair<Operation>): string[] {
  const [old, now] = [before.parameters ?? [], after.parameters ?? []]
  const sameAs = (one: Parameter) => (other: Parameter) =>
    one.name === other.name && one.in === other.in
  return [
    ...old.flatMap((parameter) => {
      const current = now.find(sameAs(parameter))
      const where = `${at}: ${parameter.in} parameter ${parameter.name}`
      if (!current) return [`${where} is gone`]
      return [
        ...(current.required && !parameter.required ? [`${where} is now required`] : []),
        ...requestBreaks({ before: parameter.schema, after: current.schema, at: where }),
      ]
    }),
    ...now
      .filter((parameter) => parameter.required && !old.some(sameAs(parameter)))
      .map((parameter) => `${at}: ${parameter.in} parameter ${parameter.name} is new and required`),
  ]
}

function bodyBreaks({ before, after, at }: Pair<Operation>): string[] {
  const [old, now] = [before.requestBody, after.requestBody]
  if (!now) return old ? [`${at}: the request body is gone`] : []
  if (now.required && !old?.required) return [`${at}: the request body is now required`]
  return contentBreaks(
    { before: old?.content, after: now.content, at: `${at}: request` },
    requestBreaks,
  )
}

function responseBreaks({ before, after, at }: Pair<Operation>): string[] {
  return Object.entries(before.responses).flatMap(([status, response]) => {
    const now = after.responses[status]
    const where = `${at}: response ${status}`
    // A client is not broken by a refusal that it no longer gets.
    if (!now) return Number(status) < 400 ? [`${where} is gone`] : []
    const gone = Object.keys(response.headers ?? {}).filter((name) => !now.headers?.[name])
    return [
      ...gone.map((name) => `${where} has no header ${name} any more`),
      ...contentBreaks({ before: response.content, after: now.content, at: where }, answerBreaks),
    ]
  })
}

function contentBreaks(
  { before = {}, after = {}, at }: Pair<Content | undefined>,
  compare: (pair: Pair<Schema>) => string[],
): string[] {
  return Object.entries(before).flatMap(([type, { schema }]) => {
    const now = after[type]
    return now
      ? compare({ before: schema, after: now.schema, at })
      : [`${at} has no ${type} any more`]
  })
}

/** A request that was valid must stay valid. */
function requestBreaks({ before, after, at }: Pair<Schema>): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}]
  const added = (after.required ?? []).filter((name) => !before.required?.includes(name))
  return [
    ...typeBreaks({ expected: after, sent: before, at }),
    ...narrowed(before, after).map((what) => `${at}: ${what}`),
    ...added.map((name) => `${at}.${name} is now required`),
    ...Object.keys(old)
      .filter((name) => !now[name])
      .map((name) => `${at}.${name} is gone`),
    ...partBreaks({ before, after, at }, requestBreaks),
  ]
}

/** A response that was expected must still come. New properties and enum values may be added. */
function answerBreaks({ before, after, at }: Pair<Schema>): string[] {
  const [old, now] = [before.properties ?? {}, after.properties ?? {}]
  const optional = (before.required ?? []).filter(
    (name) => now[name] && !after.required?.includes(name),
  )
  return [
    ...typeBreaks({ expected: before, sent: after, at }),
    ...(before.format === after.format ? [] : [`${at}: the format is another one`]),
    ...Object.keys(old)
      .filter((name) => !now[name])
      .map((name) => `${at}.${name} is gone`),
    ...optional.map((name) => `${at}.${name} is no longer always there`),
    ...partBreaks({ before, after, at }, answerBreaks),
  ]
}

/** Compares the parts that both schemas have. */
function partBreaks(
  { before, after, at }: Pair<Schema>,
  compare: (pair: Pair<Schema>) => string[],
): string[] {
  const properties = Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
    const current = after.properties?.[name]
    return current ? compare({ before: property, after: current, at: `${at}.${name}` }) : []
  })
  const items =
    before.items && after.items
      ? compare({ before: before.items, after: after.items, at: `${at}[]` })
      : []
  return [...properties, ...items]
}

const typesOf = ({ type }: Schema): readonly string[] => [type ?? []].flat()

/** Reports the sent types that the reader does not expect. A reader without types expects all. */
function typeBreaks({
  expected,
  sent,
  at,
}: {
  expected: Schema
  sent: Schema
  at: string
}): string[] {
  const types = typesOf(expected)
  const fits = (type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'))
  if (types.length === 0) return []
  const odd = typesOf(sent).filter((type) => !fits(type))
  return (typesOf(sent).length === 0 ? ['any type'] : odd).map(
    (type) => `${at}: ${type} does not fit ${types.join(' or ')}`,
  )
}

/** Lists what the later schema allows no more. */
const narrowed = (before: Schema, after: Schema): string[] => [
  ...goneWords(before, after),
  ...(['pattern', 'format'] as const)
    .filter((rule) => after[rule] !== undefined && after[rule] !== before[rule])
    .map((rule) => `the ${rule} is another one`),
  ...(['minimum', 'minLength', 'minItems'] as const)
    .filter((limit) => (after[limit] ?? -Infinity) > (before[limit] ?? -Infinity))
    .map((limit) => `${limit} is higher`),
  ...(['maximum', 'maxLength', 'maxItems'] as const)
    .filter((limit) => (after[limit] ?? Infinity) < (before[limit] ?? Infinity))
    .map((limit) => `${limit} is lower`),
]

function goneWords({ enum: before }: Schema, { enum: after }: Schema): string[] {
  if (!after) return []
  if (!before) return ['only listed values are left']
  return before
    .filter((word) => !after.includes(word))
    .map((word) => `${String(word)} is no value any more`)
}
