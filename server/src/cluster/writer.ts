import { type NamespaceRef, type ObjectNoun, type ObservedNamespace } from './reader.ts'
import { type ObjectRef, type ObservedObject } from '../engine/kube/observed.ts'
import { type DesiredObject } from './desired/desired.ts'
import { type VmDifference } from '../domain/vm-drift/drift.ts'
import { type VmiOrder } from '../domain/vm/power-verbs.ts'

export interface DesiredNamespace {
  name: string
  tenantId: string
  rowId: string
  /**
   * The uid stored after the first successful apply; null until then. With it a deleted namespace
   * cannot be recreated by accident.
   */
  uid: string | null
  /** Extra labels, such as those of Pod Security. Keys and values are never a tenant's text. */
  labels?: Readonly<Record<string, string>>
  annotations?: Readonly<Record<string, string>>
}

export interface NamespaceWriter {
  /**
   * Creates or corrects the namespace. Throws `name_taken` when a foreign object has the name, and
   * `uid_mismatch` when the stored namespace was deleted.
   */
  applyNamespace(desired: DesiredNamespace): Promise<ObservedNamespace>
  /**
   * Deletes only the object with this uid. Returns `gone` also when it no longer exists or another
   * object has its name.
   */
  deleteNamespace(ref: NamespaceRef, uid: string): Promise<'terminating' | 'gone'>
}

export interface Adopter {
  /**
   * Labels an object of another client as one of Berth, and changes nothing else. Only the object
   * with this uid is labelled.
   */
  labelObject(
    noun: 'dataVolume' | 'volume',
    ref: ObjectRef,
    as: { tenantId: string; rowId: string; uid: string },
  ): Promise<void>
}

export interface ObjectWriter {
  /** Applies an object like `applyNamespace`, inside a namespace or cluster-scoped. */
  applyObject<N extends ObjectNoun>(desired: DesiredObject<N>): Promise<ObservedObject>
  deleteObject(noun: ObjectNoun, ref: ObjectRef, uid: string): Promise<'terminating' | 'gone'>
}

/** `start` is for a guest that shut itself down. All other actions are commands to a VMI. */
export type PowerAction = 'start' | VmiOrder

/** The VM that is addressed, and its VMI; null when none runs. */
export interface PowerTarget {
  uid: string
  instanceUid: string | null
}

export interface PowerWriter {
  /**
   * Sends a command that the VM's spec cannot express; `applyObject` switches the power on and off.
   * Only the named VMI is affected: when it has ended, or nothing has to change, the result is
   * `settled`. `start` is for a guest that shut itself down, and does nothing while a VMI runs.
   * Throws `version_conflict` while an earlier command is queued: read the VM again.
   */
  powerVm(
    ref: { namespace: string; name: string },
    action: PowerAction,
    vm: PowerTarget,
  ): Promise<'accepted' | 'settled'>
}

export interface VmDriftWriter {
  /**
   * Compares the VM with the desired one. `generation` is that of the compared object. Null when
   * the VM is gone or was replaced.
   */
  compareVm(
    desired: DesiredObject<'vm'>,
  ): Promise<{ generation: number | null; differences: VmDifference[] } | null>
  /** Removes disks, NICs and settings that other clients have added to the VM. */
  removeForeignParts(desired: DesiredObject<'vm'>): Promise<void>
  /** Removes all disks and NICs of a VM that is off, before Berth applies its own. */
  removeAllParts(desired: DesiredObject<'vm'>): Promise<void>
}

export interface VolumeWriter {
  /**
   * Requests a larger size of an existing volume. Throws `refused` or `not_permitted` when its
   * class cannot expand.
   */
  growVolume(
    volume: { namespace: string; name: string; tenantId: string; rowId: string; uid: string },
    bytes: number,
  ): Promise<void>
}

/**
 * Changes to the cluster. Every method is idempotent: a second call changes nothing, and a retry
 * after any error is safe.
 */
export type ClusterWriter = NamespaceWriter &
  ObjectWriter &
  Adopter &
  PowerWriter &
  VmDriftWriter &
  VolumeWriter
