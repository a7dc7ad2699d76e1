import { clock } from '../clock.ts'
import { type FieldSet, difference, fieldsOf } from './fields.ts'
import { fromFieldsV1, toFieldsV1 } from './fields-v1.ts'
import { type KubeObject, type ManagedField } from './types.ts'
import { type Resource, apiVersionOf } from './resource.ts'

/** Who writes, and how: the key of an entry in managedFields. */
export interface FieldOwner {
  name: string
  operation: 'Apply' | 'Update'
  subresource?: string | undefined
}

const entriesOf = (object: KubeObject | null): ManagedField[] => object?.metadata.managedFields ?? []

const same = (entry: ManagedField, manager: FieldOwner): boolean =>
  entry.manager === manager.name && entry.operation === manager.operation && entry.subresource === manager.subresource

/** Ownership after a plain create or update: the writer owns what it changed, and nobody owns what is gone. */
export function ownersAfterUpdate(
  resource: Resource,
  change: { old: KubeObject | null; next: KubeObject; manager: FieldOwner },
): ManagedField[] {
  const { old, next, manager } = change
  const shared = old ? sharedBy(old, next) : none
  const fieldsIn = (object: KubeObject): FieldSet => fieldsOf(resource, without(object, shared), 'leaves and parents')
  const { added, modified, removed } = difference(old ? fieldsIn(old) : new Map<string, never>(), fieldsIn(next))
  const changed = added.union(modified)
  if (changed.size === 0 && removed.size === 0) return entriesOf(old)
  const own = entriesOf(old).find((entry) => same(entry, manager))
  const others = entriesOf(old)
    .filter((entry) => entry !== own)
    .map((entry) => withoutPaths(entry, modified.union(removed)))
  const mine = (own ? fromFieldsV1(own.fieldsV1) : new Set<string>()).union(changed).difference(removed)
  const entry = withPaths(own ?? newEntry(resource, manager), mine)
  return ordered([...others, changed.size > 0 ? { ...entry, time: clock.timestamp() } : entry])
}

const none: ReadonlySet<string> = new Set()

/** What a change hands on as it was, by identity: a controller that writes a status has not touched the rest. */
const sharedBy = (old: KubeObject, next: KubeObject): ReadonlySet<string> =>
  new Set(Object.keys(next).filter((key) => key !== 'metadata' && next[key] === old[key]))

const without = ({ apiVersion, kind, metadata, ...rest }: KubeObject, keys: ReadonlySet<string>): KubeObject => ({
  ...{ apiVersion, kind, metadata },
  ...Object.fromEntries(Object.entries(rest).filter(([key]) => !keys.has(key))),
})

function withoutPaths(entry: ManagedField, lost: ReadonlySet<string>): ManagedField {
  const owned = fromFieldsV1(entry.fieldsV1)
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

export const withPaths = (entry: ManagedField, paths: ReadonlySet<string>): ManagedField => ({ ...entry, fieldsV1: toFieldsV1(paths) })

/** Appliers first, then by time and name; entries that own nothing go. */
export function ordered(entries: readonly ManagedField[]): ManagedField[] {
  const rank = (entry: ManagedField): string => `${entry.operation} ${entry.time ?? ''} ${entry.manager}`
  return entries.filter((entry) => Object.keys(entry.fieldsV1).length > 0).sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
