/*
 * The names that the nouns register. The engine types them without importing a noun: a noun adds
 * its own by declaration merging, `declare module '…/engine/model/registry.ts'`.
 */

/** No name; the engine alone knows none. */
type None = Record<never, never>

/** The tables as typed SQL sees them, by their name in PostgreSQL. */
export interface Tables extends None {}

/** The kinds of rows whose changes the change log tells. */
export interface ChangeKinds extends None {}

/** What a caller may be allowed to do. */
export interface Permissions extends None {}

/** The kinds of cluster objects that can be watched. */
export interface WatchedKinds extends None {}

/** The watched kinds that wake reconcilers. */
export interface FollowedKinds extends None {}
