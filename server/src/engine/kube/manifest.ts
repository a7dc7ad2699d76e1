import { type ClusterName, type Ownership } from './refs.ts'

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
