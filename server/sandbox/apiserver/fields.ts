import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, type KubeObject, isMap } from './types.ts'
import { type Resource, type Schema } from './resource.ts'
import { joinPath, listElement } from './field-path.ts'

/*
 * Field sets as server-side apply writes them. A path is the joined sequence of FieldsV1 elements (`f:spec`, `k:{"name":"x"}`, `v:"x"`);
 * a set of paths converts to and from the nested FieldsV1 form. Lists without a list type, and maps marked atomic, are one leaf.
 */
export type FieldSet = Map<string, Json | undefined>

/** Whether interior nodes are members: an update owns the map that it adds, an apply only the leaves. */
export type Depth = 'leaves' | 'leaves and parents'

interface Walk {
  into: FieldSet
  depth: Depth
  custom: boolean
  path: string
}

/** Every field that a manager can own, with its value. */
export function fieldsOf(resource: Resource, object: KubeObject, depth: Depth): FieldSet {
  const into: FieldSet = new Map()
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object
  walkMap({ into, depth, custom: resource.custom, path: '' }, { ...rest, metadata: ownable(metadata) }, resource.schema)
  into.delete('f:metadata')
  return into
}

/** What the server itself sets belongs to nobody. */
function ownable(metadata: JsonMap): JsonMap {
  const { labels, annotations, finalizers, ownerReferences, generateName } = metadata
  return { labels, annotations, finalizers, ownerReferences, generateName }
}

function walkMap(walk: Walk, value: JsonMap, schema: Schema): void {
  for (const [key, child] of Object.entries(value)) {
    const childSchema = schema.properties?.[key] ?? schema.additionalProperties ?? {}
    if (child !== undefined) walkValue({ ...walk, path: joinPath(walk.path, `f:${key}`) }, child, childSchema)
  }
}

function walkValue(walk: Walk, value: Json, schema: Schema): void {
  const { into, path } = walk
  if (isMap(value) && schema['x-kubernetes-map-type'] !== 'atomic') {
    if (isMember(walk, value, schema)) into.set(path, undefined)
    walkMap(walk, value, schema)
  } else if (Array.isArray(value) && isMerging(schema)) {
    if (value.length === 0 || walk.depth === 'leaves and parents') into.set(path, undefined)
    for (const item of value) walkItem({ ...walk, path: joinPath(path, listElement(item, schema)) }, item, schema)
  } else {
    into.set(path, value)
  }
}

const isMerging = (schema: Schema): boolean => ['map', 'set'].includes(schema['x-kubernetes-list-type'] ?? 'atomic')

function walkItem(walk: Walk, item: Json, schema: Schema): void {
  walk.into.set(walk.path, isMap(item) ? undefined : item)
  if (isMap(item)) walkMap(walk, item, schema.items ?? {})
}

/** Fixed structs of built-in kinds exist in every object and so are never added; maps and anything in a custom kind can be. */
function isMember(walk: Walk, value: JsonMap, schema: Schema): boolean {
  if (Object.keys(value).length === 0) return true
  return walk.depth === 'leaves and parents' && (walk.custom || schema.properties === undefined)
}

export interface Difference {
  added: Set<string>
  modified: Set<string>
  removed: Set<string>
}

export function difference(before: FieldSet, after: FieldSet): Difference {
  const result: Difference = { added: new Set(), modified: new Set(), removed: new Set() }
  for (const [path, value] of after) {
    if (!before.has(path)) result.added.add(path)
    else if (!isDeepStrictEqual(before.get(path), value)) result.modified.add(path)
  }
  for (const path of before.keys()) if (!after.has(path)) result.removed.add(path)
  return result
}
