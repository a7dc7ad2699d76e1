import { type Json, type JsonMap, isMap } from '../types.ts'
import { version as served } from '../discovery.ts'
import { asTold } from '../alias-words.ts'
import { registry } from '../registry.ts'
import { type Resource, apiVersionOf } from '../resource.ts'
import { componentsOf } from './components.ts'
import { sharedComponents } from './shared.ts'
import { type Dialect, pathsOf } from './paths.ts'

/** The documents of what is served, made from the rows of the registry when they are first asked for: rows do not change. */

const third: Dialect = {
  prefix: '#/components/schemas/',
  query: (name, type, description) => ({ name, in: 'query', description, schema: { type, uniqueItems: true } }),
  pathPart: (name, description) => ({ name, in: 'path', description, required: true, schema: { type: 'string', uniqueItems: true } }),
  body: (types, schema) => ({ requestBody: { required: true, content: contentOf(types, schema) } }),
  answer: (schema) => ({ description: 'OK', content: contentOf(['application/json', 'application/yaml'], schema) }),
}

const contentOf = (types: readonly string[], schema: string): JsonMap =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `#/components/schemas/${schema}` } }]))

const second: Dialect = {
  prefix: '#/definitions/',
  query: (name, type, description) => ({ name, in: 'query', description, type, uniqueItems: true }),
  pathPart: (name, description) => ({ name, in: 'path', description, required: true, type: 'string', uniqueItems: true }),
  body: (types, schema) => ({
    consumes: [...types],
    parameters: [{ name: 'body', in: 'body', required: true, schema: { $ref: `#/definitions/${schema}` } }],
  }),
  answer: (schema) => ({ description: 'OK', schema: { $ref: `#/definitions/${schema}` } }),
}

const deleteKinds = (of: readonly Resource[]): JsonMap[] =>
  [...new Set(of.map(({ group, version }) => `${group}/${version}`))].map((each) => {
    const [group = '', version = ''] = each.split('/')
    return { group, version, kind: 'DeleteOptions' }
  })

const info = { title: 'Kubernetes', version: String(served.gitVersion) }

const all = (parts: readonly JsonMap[]): JsonMap => Object.fromEntries(parts.flatMap((part) => Object.entries(part)))

/** Every kind in every version and under every group that tells it, each as a row of its own. */
const rows: readonly Resource[] = registry.told.flatMap((row) => [
  row,
  ...(row.aliases ?? []).filter(({ group }) => group === undefined).map((alias) => asTold(row, alias)),
])

const rowsAt = (apiVersion: string): Resource[] => rows.filter((row) => apiVersionOf(row) === apiVersion)

const apiVersions = (): string[] => [...new Set(rows.map((row) => apiVersionOf(row)))]

/** The paths of the documents of the third version: `api/v1`, `apis/kubevirt.io/v1` … */
export const thirdPaths = (): string[] => apiVersions().map((each) => (each.includes('/') ? `apis/${each}` : `api/${each}`))

/** One group and version. */
export function thirdDocument(path: string): JsonMap {
  const described = rowsAt(path.replace(/^apis?\//, ''))
  return {
    openapi: '3.0.0',
    info,
    paths: all(described.map((row) => pathsOf(row, third))),
    components: {
      schemas: all([...described.map((row) => componentsOf(row, third.prefix)), sharedComponents(third.prefix, deleteKinds(described))]),
      securitySchemes: { BearerToken: { type: 'apiKey', in: 'header', name: 'authorization', description: 'Bearer token' } },
    },
  }
}

/** Everything, as the second version has it. */
export function secondDocument(): JsonMap {
  const schemas = all([...rows.map((row) => componentsOf(row, second.prefix)), sharedComponents(second.prefix, deleteKinds(rows))])
  return {
    swagger: '2.0',
    info,
    paths: all(rows.map((row) => pathsOf(row, second))),
    definitions: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inSecond(schema ?? null)])),
    securityDefinitions: {
      BearerToken: { type: 'apiKey', in: 'header', name: 'authorization', description: 'Bearer Token authentication' },
    },
    security: [{ BearerToken: [] }],
  }
}

/*
 * The second version knows less: nothing is nullable, a reference stands alone, and a field that may hold more than is written down cannot say
 * what else it holds, because clients refuse what is not.
 */
function inSecond(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(inSecond)
  if (!isMap(schema)) return schema
  const { allOf, nullable, default: _default, ...rest } = schema
  if (Array.isArray(allOf)) return referring(allOf[0] ?? null, rest.description)
  if (nullable === true || rest['x-kubernetes-preserve-unknown-fields'] === true) return unstructured(rest)
  const { properties, ...plain } = rest
  const below = Object.entries(plain).map(([key, value]): [string, Json | undefined] => [
    key,
    key === 'items' || key === 'additionalProperties' ? inSecond(value ?? null) : value,
  ])
  const converted: JsonMap = Object.fromEntries(below)
  return { ...converted, ...(isMap(properties) ? { properties: eachInSecond(properties) } : {}) }
}

const eachInSecond = (properties: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, inSecond(each ?? null)]))

const referring = (reference: Json, description: Json | undefined): Json => ({
  ...(isMap(reference) ? reference : {}),
  ...(description === undefined ? {} : { description }),
})

/** The kind of the object stays known, and so does what all objects have. */
function unstructured(schema: JsonMap): JsonMap {
  const isRoot = schema['x-kubernetes-group-version-kind'] !== undefined
  const kept = Object.entries(schema).filter(([key]) => key === 'description' || key.startsWith('x-kubernetes-'))
  return { ...Object.fromEntries(kept), ...(isRoot ? { type: 'object' } : {}) }
}
