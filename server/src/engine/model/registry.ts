/*
 * The types that nouns register. The engine uses them without importing a noun: each noun adds its
 * own names by declaration merging, `declare module '…/engine/model/registry.ts'`.
 */

/** An empty set of names; the engine itself registers none. */
type None = Record<never, never>

/** The tables of typed SQL by their PostgreSQL names. */
export interface Tables extends None {}

/** The kinds of rows whose changes the change log records. */
export interface ChangeKinds extends None {}

/** The permissions of callers. */
export interface Permissions extends None {}

/** The kinds of cluster objects that can be watched. */
export interface WatchedKinds extends None {}

/** The watched kinds whose events enqueue work keys. */
export interface FollowedKinds extends None {}
