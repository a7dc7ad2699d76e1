import { type Json, type JsonMap } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { sharedName, typeFields } from './shared.ts'

/**
 * OpenAPI schemas of kinds. They are named, include the kind, and refer to shared schemas such as
 * ObjectMeta.
 */

/** Go packages of built-in groups whose name differs from the group. */
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

/** Returns the schemas of one kind: the object and its list. */
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
          description: 'Name, labels and fields that the server sets.',
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
          description: 'Version and pagination of the list.',
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
 * Converts a schema to JSON without rules and storage hints. Built-in kinds also
 * get the older patch strategy extensions for lists that merge.
 */
export function schemaJson(schema: Schema, resource: Pick<Resource, 'custom'>): JsonMap {
  const {
    properties,
    additionalProperties,
    items,
    rules: _rules,
    zero: _zero,
    keyDefaults: _defaults,
    ...rest
  } = schema
  return {
    // The cast holds because the remaining fields are plain JSON values.
    ...(rest as { [key: string]: Json }),
    ...(resource.custom ? {} : patchExtensions(schema)),
    ...(properties ? { properties: propertiesJson(properties, resource) } : {}),
    ...(additionalProperties
      ? { additionalProperties: schemaJson(additionalProperties, resource) }
      : {}),
    ...(items ? { items: schemaJson(items, resource) } : {}),
  }
}

function patchExtensions(schema: Schema): JsonMap {
  const type = schema['x-kubernetes-list-type']
  const [key] = schema['x-kubernetes-list-map-keys'] ?? []
  if (type === 'set') return { 'x-kubernetes-patch-strategy': 'merge' }
  return type === 'map' && key !== undefined
    ? { 'x-kubernetes-patch-merge-key': key, 'x-kubernetes-patch-strategy': 'merge' }
    : {}
}
