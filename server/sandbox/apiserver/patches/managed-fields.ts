import { clock } from '../../clock.ts'
import { type FieldSet, difference, fieldsOf } from './fields.ts'
import { pathsOf, fieldsV1Of } from './fields-v1.ts'
import { type JsonMap, type KubeObject, type ManagedField, isMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'

/** Who writes, and how: the key of an entry in managedFields. */
export interface FieldOwner {
  name: string
  operation: 'Apply' | 'Update'
  subresource?: string | undefined
}

const entriesOf = (object: KubeObject | null): ManagedField[] =>
  object?.metadata.managedFields ?? []

const same = (entry: ManagedField, manager: FieldOwner): boolean =>
  entry.manager === manager.name &&
  entry.operation === manager.operation &&
  entry.subresource === manager.subresource

/**
 * Ownership after a plain create or update: the writer owns what it changed, and nobody owns what
 * is gone.
 */
export function ownersAfterUpdate(
  resource: Resource,
  change: { old: KubeObject | null; next: KubeObject; manager: FieldOwner },
): ManagedField[] {
  const { old, next, manager } = change
  const [before, after] = old ? unlike(old, next) : [null, next]
  const fieldsIn = (object: KubeObject): FieldSet =>
    fieldsOf(resource, object, 'leaves and parents')
  const { added, modified, removed } = difference(
    before ? fieldsIn(before) : new Map<string, never>(),
    fieldsIn(after),
  )
  const changed = added.union(modified)
  if (changed.size === 0 && removed.size === 0) return entriesOf(old)
  const own = entriesOf(old).find((entry) => same(entry, manager))
  const others = entriesOf(old)
    .filter((entry) => entry !== own)
    .map((entry) => withoutPaths(entry, modified.union(removed)))
  const owned = own ? pathsOf(own.fieldsV1) : new Set<string>()
  const entry = withPaths(
    own ?? newEntry(resource, manager),
    owned.union(changed).difference(removed),
  )
  return ordered([...others, changed.size > 0 ? { ...entry, time: clock.timestamp() } : entry])
}

/**
 * What a change hands on as it was, by identity, is left out of both: a controller that writes a
 * condition has not touched the rest. Two levels down, where most of an object is.
 */
function unlike(old: KubeObject, next: KubeObject): [KubeObject, KubeObject] {
  const keys = Object.keys(next).filter((key) => !identifying.has(key))
  const shared = new Set(keys.filter((key) => next[key] === old[key]))
  const [before, after]: [JsonMap, JsonMap] = [omit(old, shared), omit(next, shared)]
  for (const key of keys) {
    const [was, is] = [before[key], after[key]]
    if (isMap(was) && isMap(is)) [before[key], after[key]] = unlikeParts(was, is)
  }
  // Only what does not tell which object it is has been left out.
  return [before as KubeObject, after as KubeObject]
}

const identifying = new Set(['apiVersion', 'kind', 'metadata'])

function unlikeParts(was: JsonMap, is: JsonMap): [JsonMap, JsonMap] {
  const shared = new Set(Object.keys(is).filter((child) => is[child] === was[child]))
  // A map that is empty is a field of its own.
  const isAll = [was, is].some((map) => Object.keys(map).length === shared.size)
  return isAll ? [was, is] : [omit(was, shared), omit(is, shared)]
}

const omit = (map: JsonMap, keys: ReadonlySet<string>): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([key]) => !keys.has(key)))

function withoutPaths(entry: ManagedField, lost: ReadonlySet<string>): ManagedField {
  const owned = pathsOf(entry.fieldsV1)
  return owned.isDisjointFrom(lost) ? entry : withPaths(entry, owned.difference(lost))
}

export function newEntry(resource: Resource, manager: FieldOwner): ManagedField {
  return {
    manager: manager.name,
    operation: manager.operation,
    apiVersion: apiVersionOf(resource),
    fieldsType: 'FieldsV1',
    fieldsV1: {},
    ...(manager.subresource === undefined ? {} : { subresource: manager.subresource }),
  }
}

export function withPaths(entry: ManagedField, paths: ReadonlySet<string>): ManagedField {
  const known = pathsOf(entry.fieldsV1)
  // Who writes the same fields again owns what it owned.
  const isAsBefore = known.size === paths.size && known.isSubsetOf(paths)
  return { ...entry, fieldsV1: isAsBefore ? entry.fieldsV1 : fieldsV1Of(paths) }
}

/** Appliers first, then by time and name; entries that own nothing go. */
export function ordered(entries: readonly ManagedField[]): ManagedField[] {
  const rank = (entry: ManagedField): string =>
    `${entry.operation} ${entry.time ?? ''} ${entry.manager}`
  return entries
    .filter((entry) => Object.keys(entry.fieldsV1).length > 0)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
