import { clock } from '../../clock.ts'
import { type FieldSet, difference, fieldsOf } from './fields.ts'
import { pathsOf, fieldsV1Of } from './fields-v1.ts'
import { type JsonMap, type KubeObject, type ManagedField, isMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { storedForm } from '../../objects/stored-form.ts'

/** The writer and its operation. They are the key of an entry in managedFields. */
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
 * Returns the field owners after a create or update. The writer owns the fields that it changed,
 * and removed fields have no owner.
 */
export function ownersAfterUpdate(
  resource: Resource,
  change: { old: KubeObject | null; next: KubeObject; manager: FieldOwner },
): ManagedField[] {
  const { old, next, manager } = change
  const [before, after] = old ? changedParts(old, next) : [null, next]
  const fieldsIn = (object: KubeObject): FieldSet =>
    fieldsOf(resource, object, 'leaves and parents')
  const { added, modified, removed } = difference(
    fieldsIn(before ?? blank(resource)),
    fieldsIn(after),
  )
  const changed = added.union(modified)
  if (changed.size === 0 && removed.size === 0) return entriesOf(old)
  const own = entriesOf(old).find((entry) => same(entry, manager))
  const otherEntries = entriesOf(old)
    .filter((entry) => entry !== own)
    .map((entry) => withoutPaths(entry, modified.union(removed)))
  const owned = own ? pathsOf(own.fieldsV1) : new Set<string>()
  const entry = withPaths(
    own ?? newEntry(resource, manager),
    owned.union(changed).difference(removed),
  )
  return ordered([
    ...otherEntries,
    changed.size > 0 ? { ...entry, time: clock.timestamp() } : entry,
  ])
}

/** A built-in kind without any field, whose structs exist all the same. */
const blank = ({ custom, schema }: Resource): KubeObject => {
  // The cast holds because only the fields of the object are read.
  const nothing = { metadata: {} } as KubeObject
  return custom ? nothing : storedForm(nothing, schema)
}

/**
 * Omits the parts that both objects share by identity, because a controller that writes a condition
 * does not change the rest. It compares two levels, which contain most of an object.
 */
function changedParts(old: KubeObject, next: KubeObject): [KubeObject, KubeObject] {
  const keys = Object.keys(next).filter((key) => !identifying.has(key))
  const shared = new Set(keys.filter((key) => next[key] === old[key]))
  const [before, after]: [JsonMap, JsonMap] = [omit(old, shared), omit(next, shared)]
  for (const key of keys) {
    const [was, is] = [before[key], after[key]]
    if (isMap(was) && isMap(is)) [before[key], after[key]] = changedFields(was, is)
  }
  // The casts hold because apiVersion, kind and metadata are never omitted.
  return [before as KubeObject, after as KubeObject]
}

const identifying = new Set(['apiVersion', 'kind', 'metadata'])

function changedFields(was: JsonMap, is: JsonMap): [JsonMap, JsonMap] {
  const shared = new Set(Object.keys(is).filter((child) => is[child] === was[child]))
  // An empty map is a field itself, so it must not arise by omission.
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
  const previous = pathsOf(entry.fieldsV1)
  // A writer of the same fields keeps its entry.
  const isAsBefore = previous.size === paths.size && previous.isSubsetOf(paths)
  return { ...entry, fieldsV1: isAsBefore ? entry.fieldsV1 : fieldsV1Of(paths) }
}

/** Sorts entries: appliers first, then by time and name. Drops entries without fields. */
export function ordered(entries: readonly ManagedField[]): ManagedField[] {
  const rank = (entry: ManagedField): string =>
    `${entry.operation} ${entry.time ?? ''} ${entry.manager}`
  return entries
    .filter((entry) => Object.keys(entry.fieldsV1).length > 0)
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
