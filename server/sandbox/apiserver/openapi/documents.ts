import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { servedRows, version as build } from '../discovery.ts'
import { type Registry } from '../../kinds/registry.ts'
import { servedAs } from '../../kinds/alias-names.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { aggregatedGroup, aggregatedVersions } from '../../kinds/kubevirt/aggregated.ts'
import { describeActions } from './action-paths.ts'
import { componentsOf } from './components.ts'
import { type DocumentPart, type Dialect, openApi2, openApi3 } from './dialects.ts'
import { describeDiscovery, singlePaths } from './discovery-paths.ts'
import { subresourceComponents } from './subresource-paths.ts'
import { pathsOf } from './paths.ts'
import { sharedComponents } from './shared.ts'

/**
 * Builds the OpenAPI documents from the registry on their first request. The rows of the registry
 * do not change.
 */

const deleteKinds = (of: readonly Resource[]): JsonMap[] =>
  [...new Set(of.map(({ group, version }) => `${group}/${version}`))].map((each) => {
    const [group = '', version = ''] = each.split('/')
    return { group, version, kind: 'DeleteOptions' }
  })

const info = { title: 'Kubernetes', version: String(build.gitVersion) }

const all = (parts: readonly JsonMap[]): JsonMap =>
  Object.fromEntries(parts.flatMap((part) => Object.entries(part)))

const pathOf = (row: Resource): string =>
  `${row.group === '' ? 'api' : 'apis'}/${apiVersionOf(row)}`

const actionPaths = aggregatedVersions.map((version) => `apis/${aggregatedGroup}/${version}`)

/** All kinds in all served versions and groups, each as a row. */
const rowsOf = (registry: Registry): Resource[] =>
  servedRows(registry).flatMap((row) => [
    row,
    ...(row.aliases ?? [])
      .filter(({ group }) => group === undefined)
      .map((alias) => servedAs(row, alias)),
  ])

/** The OpenAPI documents of one cluster. */
export class Documents {
  /** Paths of the OpenAPI 3 documents: `api`, `api/v1`, `apis/apps`, `apis/kubevirt.io/v1` … */
  readonly paths: readonly string[]
  readonly #rows: readonly Resource[]

  constructor(registry: Registry) {
    this.#rows = rowsOf(registry)
    const groupPaths = this.#rows.flatMap(({ group, custom }) =>
      custom || group === '' ? [] : [`apis/${group}`],
    )
    this.paths = [
      ...new Set([...singlePaths, ...groupPaths, ...this.#rows.map(pathOf), ...actionPaths]),
    ].sort()
  }

  third(path: string): JsonMap {
    const { paths, schemas } = this.#describedAt(path, openApi3)
    const securitySchemes = {
      BearerToken: {
        type: 'apiKey',
        in: 'header',
        name: 'authorization',
        description: 'Bearer token',
      },
    }
    return { openapi: '3.0.0', info, paths, components: { schemas, securitySchemes } }
  }

  /** Returns the OpenAPI 2 document, which describes the whole API. */
  second(): JsonMap {
    const parts = this.paths.map((path) => this.#describedAt(path, openApi2))
    const schemas = all([
      ...parts.map((part) => part.schemas),
      sharedComponents(openApi2.prefix, deleteKinds(this.#rows)),
    ])
    return {
      swagger: '2.0',
      info,
      paths: all(parts.map(({ paths }) => paths)),
      definitions: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => [name, inSecond(schema ?? null)]),
      ),
      securityDefinitions: {
        BearerToken: {
          type: 'apiKey',
          in: 'header',
          name: 'authorization',
          description: 'Bearer Token authentication',
        },
      },
      security: [{ BearerToken: [] }],
    }
  }

  /** Returns the content of the document at one path. */
  #describedAt(path: string, dialect: Dialect): DocumentPart {
    const kinds = this.#rows.filter((row) => pathOf(row) === path)
    const actions = actionPaths.includes(path)
      ? [describeActions(path.split('/').at(-1) ?? '', dialect)]
      : []
    const parts = [
      ...kinds.map((row) => ({
        paths: pathsOf(row, dialect),
        schemas: { ...componentsOf(row, dialect.prefix), ...subresourceComponents(row, dialect) },
      })),
      ...actions,
      ...(kinds.length + actions.length > 0
        ? [{ paths: {}, schemas: sharedComponents(dialect.prefix, deleteKinds(kinds)) }]
        : []),
      // The document of a CRD group does not include its discovery paths.
      ...(kinds.some(({ custom, verbs }) => custom && !verbs)
        ? []
        : [describeDiscovery(path, dialect)]),
    ]
    return {
      paths: all(parts.map(({ paths }) => paths)),
      schemas: all(parts.map(({ schemas }) => schemas)),
    }
  }
}

/*
 * Converts a schema to OpenAPI 2, which is less expressive: nothing is nullable, and a reference
 * has no siblings. A field with unknown subfields omits its known ones, because clients would
 * refuse the rest.
 */
function inSecond(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(inSecond)
  if (!isMap(schema)) return schema
  const { allOf, nullable, default: _default, ...rest } = schema
  if (Array.isArray(allOf)) return referring(allOf[0] ?? null, rest.description)
  if (nullable === true || rest['x-kubernetes-preserve-unknown-fields'] === true)
    return unstructured(rest)
  const { properties, ...plain } = rest
  const below = Object.entries(plain).map(([key, value]): [string, Json | undefined] => [
    key,
    key === 'items' || key === 'additionalProperties' ? inSecond(value ?? null) : value,
  ])
  const converted: JsonMap = Object.fromEntries(below)
  return { ...converted, ...(isMap(properties) ? { properties: eachInSecond(properties) } : {}) }
}

const eachInSecond = (properties: JsonMap): JsonMap =>
  Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, inSecond(each ?? null)]),
  )

const referring = (reference: Json, description: Json | undefined): Json => ({
  ...(isMap(reference) ? reference : {}),
  ...(description === undefined ? {} : { description }),
})

/** Keeps only the description, the kind and other Kubernetes extensions. */
function unstructured(schema: JsonMap): JsonMap {
  const isRoot = schema['x-kubernetes-group-version-kind'] !== undefined
  const remaining = Object.entries(schema).filter(
    ([key]) => key === 'description' || key.startsWith('x-kubernetes-'),
  )
  return { ...Object.fromEntries(remaining), ...(isRoot ? { type: 'object' } : {}) }
}
