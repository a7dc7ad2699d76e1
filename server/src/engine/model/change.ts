import { type ChangeKinds } from './registry.ts'

export type ChangeKind = keyof ChangeKinds

/** An identity and nothing more: whoever hears of it reads the object again. */
export interface Change {
  /** Where the log stands after this change; opaque to clients. */
  readonly cursor: string
  /** Null for what belongs to the platform and is visible to all. */
  readonly tenantId: string | null
  readonly kind: ChangeKind
  readonly objectId: string
  readonly version: number
}

/**
 * What a subscription delivers: a change, or the news that older ones are no longer kept and all
 * must be read again.
 */
export type Delivery =
  { readonly gap: false; readonly change: Change } | { readonly gap: true; readonly cursor: string }
