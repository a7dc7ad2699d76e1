import { type ClusterName, type Ownership } from './refs.ts'

/** Everything of an object beside its metadata. */
export type Content = Readonly<Record<string, unknown>>

/** Where the object is made and for which row; some contents repeat it. */
export interface ContentPlace {
  /** None for what belongs to the whole cluster. */
  namespace?: ClusterName
  name: ClusterName
  owner: Ownership
}

/**
 * The property when there is something to say, and no property otherwise: an apply that sends
 * `undefined` as null would claim the field.
 */
export const maybe = <T>(name: string, value: T | null | undefined): Record<string, T> =>
  value === null || value === undefined ? {} : { [name]: value }
