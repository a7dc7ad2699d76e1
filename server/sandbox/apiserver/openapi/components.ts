import { type Json, type JsonMap } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { sharedName, typeFields } from './shared.ts'

/**
 * The schemas of kinds as OpenAPI documents have them: named, with their kind, and with references
 * to what all of them share.
 */

/** Built-in groups lie in Go packages that are not always called like them. */
const packages: Readonly<Record<string, string>> = {
  '': 'io.k8s.api.core',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions',
}

export function componentName({ group, version, kind, custom }: Resource): string {
  if (custom) return `${group.split('.').reverse().join('.')}.${version}.${kind}`
  const [first = ''] = group.split('.')
  return `${packages[group] ?? `io.k8s.api.${first}`}.${version}.${kind}`
}

export const kindOf = ({
  group,
  version,
  kind,
}: Pick<Resource, 'group' | 'version' | 'kind'>): JsonMap => ({ group, version, kind })

/** All that the documents say of one kind: the object and the list of it. */
export function componentsOf(resource: Resource, prefix: string): JsonMap {
  const name = componentName(resource)
  const reference = (to: string): JsonMap => ({ $ref: `${prefix}${to}` })
  const { properties: own = {}, ...schema } = resource.schema
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...fields } = own
  return {
    [name]: {
      ...schemaJson(schema, resource),
      description: `${resource.kind} of ${resource.group || 'the core group'}, version ${resource.version}.`,
      properties: {
        ...typeFields,
        metadata: {
          allOf: [reference(sharedName('ObjectMeta'))],
          default: {},
          description: 'Name, labels and what the server notes of the object.',
        },
        ...propertiesJson(fields, resource),
      },
      'x-kubernetes-group-version-kind': [kindOf(resource)],
    },
    [`${name}List`]: {
      type: 'object',
      description: `A list of ${resource.kind}.`,
      required: ['items'],
      properties: {
        ...typeFields,
        metadata: {
          allOf: [reference(sharedName('ListMeta'))],
          default: {},
          description: 'What the server notes of the list.',
        },
        items: {
          type: 'array',
          description: 'The objects.',
          items: { allOf: [reference(name)], default: {} },
        },
      },
      'x-kubernetes-group-version-kind': [kindOf({ ...resource, kind: `${resource.kind}List` })],
    },
  }
}

const propertiesJson = (
  properties: Readonly<Record<string, Schema>>,
  resource: Pick<Resource, 'custom'>,
): JsonMap =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, schemaJson(schema, resource)]),
  )

/**
 * The rules are code here and left out; for built-in kinds the lists that merge also say so in the
 * older words.
 */
export function schemaJson(schema: Schema, resource: Pick<Resource, 'custom'>): JsonMap {
  const { properties, additionalProperties, items, rules: _rules, ...rest } = schema
  return {
    // What is left are plain values.
    ...(rest as { [key: string]: Json }),
    ...(resource.custom ? {} : mergeWords(schema)),
    ...(properties ? { properties: propertiesJson(properties, resource) } : {}),
    ...(additionalProperties
      ? { additionalProperties: schemaJson(additionalProperties, resource) }
      : {}),
    ...(items ? { items: schemaJson(items, resource) } : {}),
  }
}

function mergeWords(schema: Schema): JsonMap {
  const type = schema['x-kubernetes-list-type']
  const [key] = schema['x-kubernetes-list-map-keys'] ?? []
  if (type === 'set') return { 'x-kubernetes-patch-strategy': 'merge' }
  return type === 'map' && key !== undefined
    ? { 'x-kubernetes-patch-merge-key': key, 'x-kubernetes-patch-strategy': 'merge' }
    : {}
}
