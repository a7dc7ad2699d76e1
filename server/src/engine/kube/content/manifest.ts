import { fieldAt } from '../field-at.ts'
import { type ClusterName, type Ownership } from '../refs.ts'

/** The fields of an object besides its metadata. */
export type Content = Readonly<Record<string, unknown>>

/** The reference and owner of an object that is created; some contents repeat it. */
export interface ContentTarget {
  /** The namespace; absent for cluster-scoped objects. */
  namespace?: ClusterName
  name: ClusterName
  owner: Ownership
}

/**
 * Returns the property, or no property for an absent value. An apply that sends null would claim
 * ownership of the field.
 */
export const optionalField = <T>(name: string, value: T | null | undefined): Record<string, T> =>
  value === null || value === undefined ? {} : { [name]: value }

/**
 * Leaves empty lists out, which mean the same as no list. The API server stores built-in kinds
 * without them, so each apply of one would differ from what is stored and get a new version.
 */
export function withoutEmptyLists<T>(value: T): T {
  // The elements keep their type, because each call returns the type that it was given.
  if (Array.isArray(value)) return value.map(withoutEmptyLists) as T
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
    .filter(([, field]) => !Array.isArray(field) || field.length > 0)
    .map(([name, field]) => [name, withoutEmptyLists<unknown>(field)])
  // The contents are records of unknown fields, and a record may lack any of them.
  return Object.fromEntries(fields) as T
}

/**
 * True when the object has content in a list that is empty in the desired content. Another client
 * has added it, and an apply without the list leaves it there.
 */
export function hasForeignItems(desired: unknown, observed: unknown): boolean {
  if (Array.isArray(desired))
    return desired.length === 0 && Array.isArray(observed) && observed.length > 0
  return Object.entries(desired ?? {}).some(
    ([name, field]) => typeof field === 'object' && hasForeignItems(field, fieldAt(observed, name)),
  )
}
