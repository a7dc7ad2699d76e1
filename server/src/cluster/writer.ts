import { type NamespaceRef, type ObjectNoun, type SeenNamespace } from './reader.ts'
import { type ObjectRef, type SeenObject } from '../engine/kube/seen.ts'
import { type WantedObject } from './desired/desired.ts'
import { type MachineOrder } from '../domain/vm/power-verbs.ts'

export interface WantedNamespace {
  name: string
  tenantId: string
  rowId: string
  /**
   * The uid stored after the first success; null until then. With it a deleted namespace cannot
   * come back by accident.
   */
  uid: string | null
  /**
   * Further labels, for example of Pod Security; keys and values are ours, never a tenant's text.
   */
  labels?: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
}

export interface NamespaceWriter {
  /**
   * Creates or corrects; throws `name_taken` when a stranger's object bears the name,
   * `uid_mismatch` when ours was deleted.
   */
  applyNamespace(wanted: WantedNamespace): Promise<SeenNamespace>
  /**
   * Deletes exactly the object with the uid. `gone` also when it was gone already or another one
   * bears the name now.
   */
  deleteNamespace(ref: NamespaceRef, uid: string): Promise<'terminating' | 'gone'>
}

export interface ObjectWriter {
  /** As `applyNamespace`, for everything inside one and for what belongs to none. */
  applyObject<N extends ObjectNoun>(wanted: WantedObject<N>): Promise<SeenObject>
  deleteObject(noun: ObjectNoun, ref: ObjectRef, uid: string): Promise<'terminating' | 'gone'>
}

/** `start` is for a guest that shut itself down; the rest are orders to a run. */
export type PowerAction = 'start' | MachineOrder

/** Which VM is meant, and which of its runs: null where none is. */
export interface PoweredVm {
  uid: string
  instanceUid: string | null
}

export interface PowerWriter {
  /**
   * What a VM's own description cannot say; on and off are said by `applyObject`. Only the run that
   * is named is touched: when it has ended, and when all is as wanted, that is `settled`. `start`
   * is for a guest that shut itself down, and comes to nothing where something runs. Throws
   * `version_conflict` while an earlier order waits in line: look again.
   */
  powerVm(
    ref: { namespace: string; name: string },
    action: PowerAction,
    vm: PoweredVm,
  ): Promise<'accepted' | 'settled'>
}

export interface VolumeWriter {
  /**
   * Asks for more room behind a volume that is there; throws `refused` or `not_permitted` where its
   * class cannot grow.
   */
  growVolume(
    volume: { namespace: string; name: string; tenantId: string; rowId: string; uid: string },
    bytes: number,
  ): Promise<void>
}

/**
 * Changes to the cluster. Every method is ensure-style: running it twice changes nothing, and a
 * retry after any error is safe.
 */
export type ClusterWriter = NamespaceWriter & ObjectWriter & PowerWriter & VolumeWriter
