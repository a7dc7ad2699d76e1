import { type ChangeKinds } from './registry.ts'

export type ChangeKind = keyof ChangeKinds

/** Identifies a changed object and nothing more. Subscribers read the object again. */
export interface Change {
  /** The position in the change log after this change. It is opaque to clients. */
  readonly cursor: string
  /** The tenant of the object; null for platform objects, which are visible to all tenants. */
  readonly tenantId: string | null
  readonly kind: ChangeKind
  readonly objectId: string
  readonly version: number
  /** True when the subscriber has not been told of the object before, because it is new. */
  readonly isCreation: boolean
}

/**
 * One delivery to a subscription: a change, or a gap. After a gap the subscriber must read
 * everything again, because older changes are no longer retained.
 */
export type Delivery =
  { readonly gap: false; readonly change: Change } | { readonly gap: true; readonly cursor: string }
