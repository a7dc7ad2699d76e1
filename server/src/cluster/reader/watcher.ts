import { listedNouns } from '../reader.ts'

/** `instance` is one run of a VM, under the VM's name and ids. */
export const watchedNouns = ['namespace', 'instance', ...listedNouns] as const
export type WatchedNoun = (typeof watchedNouns)[number]

/** Which object changed, came or went; what became of it is read by whoever wants to know. The uid tells a new object from an old one of the name. */
export interface ChangedObject {
  namespace: string | null
  name: string
  uid: string
  /** As its labels say; null on one that is ours by half. */
  tenantId: string | null
  rowId: string | null
}

export interface Watch {
  /** When the cluster last answered; null before the first answer. */
  lastEventAt(): Date | null
  /** Whether a complete list was ever seen. Before that nothing is known to be absent. */
  isSynced(): boolean
  /** No answer for so long that what we know may be old. */
  isStale(): boolean
  stop(): Promise<void>
}

/**
 * Follows all our objects of a kind, names and versions only, until it is stopped. Every lasting change is reported at least once, soon; all that
 * is there is reported at the beginning. The order between objects and the states between two looks are not kept.
 */
export interface ClusterWatcher {
  watch(noun: WatchedNoun, changed: (object: ChangedObject) => void): Watch
}
