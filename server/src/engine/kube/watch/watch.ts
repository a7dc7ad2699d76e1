import { type WatchedKinds } from '../../model/registry.ts'

export type WatchedKind = keyof WatchedKinds

/**
 * An object that was created, changed or deleted. Readers get its current state themselves. The uid
 * distinguishes it from another object with the same name.
 */
export interface ChangedObject {
  namespace: string | null
  name: string
  uid: string
  /** The owner from the labels; null when a label is missing. */
  tenantId: string | null
  rowId: string | null
}

/** An object with its last observed version. */
export interface KnownObject extends ChangedObject {
  version: string
  /** The generation of the desired state; null for kinds without one. */
  generation: number | null
}

export interface Watch {
  /** The time of the last response; null before the first one. */
  lastEventAt(): Date | null
  /** True after the first complete list. Before it no object is known to be absent. */
  isSynced(): boolean
  /** True when the last response is so old that the known objects may be stale. */
  isStale(): boolean
  /**
   * Returns the known object with the name; null when there is none, or before the first complete
   * list.
   */
  at(reference: { namespace: string | null; name: string }): KnownObject | null
  all(): Iterable<KnownObject>
  /** The known objects that Berth does not own. Empty for kinds whose watch leaves them out. */
  foreign(): Iterable<KnownObject>
  stop(): Promise<void>
}

export interface KindWatcher {
  /**
   * Watches all objects of a kind that Berth owns until it is stopped, and tracks names and
   * versions. The watch of VMs also tracks the VMs of other owners. Existing objects are reported
   * at the start, and every lasting change at least once, soon, except for the writes of this
   * process. The order between objects and intermediate states are not guaranteed.
   */
  watch(noun: WatchedKind, changed: (object: ChangedObject) => void): Watch
}
