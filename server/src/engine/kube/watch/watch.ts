import { type WatchedKinds } from '../../model/registry.ts'

export type WatchedKind = keyof WatchedKinds

/**
 * Which object changed, came or went; what became of it is read by whoever wants to know. The uid
 * tells a new object from an old one of the name.
 */
export interface ChangedObject {
  namespace: string | null
  name: string
  uid: string
  /** As its labels say; null on one that is ours by half. */
  tenantId: string | null
  rowId: string | null
}

/** An object of which at least the version is known. */
export interface KnownObject extends ChangedObject {
  version: string
  /** Of what is wanted of it; null for kinds that do not count it. */
  generation: number | null
}

export interface Watch {
  /** When the cluster last answered; null before the first answer. */
  lastEventAt(): Date | null
  /** Whether a complete list was ever seen. Before that nothing is known to be absent. */
  isSynced(): boolean
  /** No answer for so long that what we know may be old. */
  isStale(): boolean
  /**
   * What is known to be there under the name; null when nothing is, or before the first complete
   * list.
   */
  at(place: { namespace: string | null; name: string }): KnownObject | null
  all(): Iterable<KnownObject>
  stop(): Promise<void>
}

export interface KindWatcher {
  /**
   * Follows all our objects of a kind until it is stopped, and remembers names and versions. Every
   * lasting change is reported at least once, soon; all that is there is reported at the beginning.
   * The order between objects and the states between two looks are not kept.
   */
  watch(noun: WatchedKind, changed: (object: ChangedObject) => void): Watch
}
