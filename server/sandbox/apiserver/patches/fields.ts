import { isDeepStrictEqual } from 'node:util'
import { type Json, type JsonMap, type KubeObject, isMap } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { fieldPath, joinPath, listElement } from './field-path.ts'

/*
 * Field sets of server-side apply. A path is the joined sequence of FieldsV1 elements (`f:spec`,
 * `k:{"name":"x"}`, `v:"x"`), and a set of paths converts to and from nested FieldsV1. A list
 * without a list type and an atomic map are one leaf.
 */
export type FieldSet = Map<string, Json | undefined>

/**
 * Selects whether interior nodes belong to the set. An update owns a map that it adds; an apply
 * owns only the leaves.
 */
export type Depth = 'leaves' | 'leaves and parents'

/** Returns all fields that a manager can own, with their values. */
export function fieldsOf(resource: Resource, object: KubeObject, depth: Depth): FieldSet {
  const { apiVersion: _version, kind: _kind, metadata, ...rest } = object
  const walk = new Walk(resource.custom, depth)
  walk.map('', { ...rest, metadata: ownable(metadata) }, resource.schema)
  walk.found.delete('f:metadata')
  return walk.found
}

/** Returns the metadata without fields that the API server sets, because no manager owns those. */
function ownable(metadata: JsonMap): JsonMap {
  const { labels, annotations, finalizers, ownerReferences, generateName } = metadata
  return { labels, annotations, finalizers, ownerReferences, generateName }
}

class Walk {
  readonly found: FieldSet = new Map()
  readonly #custom: boolean
  readonly #hasParents: boolean

  constructor(custom: boolean, depth: Depth) {
    this.#custom = custom
    this.#hasParents = depth === 'leaves and parents'
  }

  map(path: string, value: JsonMap, schema: Schema): void {
    for (const key in value) {
      const child = value[key]
      const childSchema = schema.properties?.[key] ?? schema.additionalProperties ?? anything
      if (child !== undefined && (this.#custom || child !== null))
        this.#value(fieldPath(path, key), child, childSchema)
    }
  }

  #value(path: string, value: Json, schema: Schema): void {
    if (isMap(value) && schema['x-kubernetes-map-type'] !== 'atomic') {
      if (this.#isMember(value, schema)) this.found.set(path, undefined)
      this.map(path, value, schema)
    } else if (Array.isArray(value) && isMerging(schema)) {
      if (this.#hasParents) this.found.set(path, undefined)
      for (const item of value) this.#item(joinPath(path, listElement(item, schema)), item, schema)
    } else {
      this.found.set(path, value)
    }
  }

  #item(path: string, item: Json, schema: Schema): void {
    this.found.set(path, isMap(item) ? undefined : item)
    if (isMap(item)) this.map(path, item, schema.items ?? anything)
  }

  /**
   * Fixed structs of built-in kinds exist in every object, so they are never added. Maps and
   * everything in a custom kind can be added.
   */
  #isMember(value: JsonMap, schema: Schema): boolean {
    if (isEmpty(value)) return true
    return this.#hasParents && (this.#custom || schema.properties === undefined)
  }
}

const anything: Schema = {}

function isEmpty(map: JsonMap): boolean {
  for (const _key in map) return false
  return true
}

const isMerging = (schema: Schema): boolean => {
  const type = schema['x-kubernetes-list-type']
  return type === 'map' || type === 'set'
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
