import { Fault, notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Tells if a feature is available, and if not, why. */
export interface Ability {
  available: boolean
  reason: Message | null
}

export const volumeBindings = ['immediate', 'first_use'] as const
export type VolumeBinding = (typeof volumeBindings)[number]

/** A storage class and the features of its volumes. */
export interface StorageClassView {
  name: string
  /** Volumes without a storage class use this one. */
  isDefault: boolean
  /** Tells if a volume is provisioned at once, or when and where it is first used. */
  binding: VolumeBinding
  accessModes: readonly string[]
  expand: Ability
  snapshot: Ability
  liveMigrate: Ability
  /** The VolumeSnapshotClass for snapshots; null when there is none. */
  snapshotClass: string | null
}

/** All storage classes; null until the cluster has been read. */
export type StorageClasses = readonly StorageClassView[] | null

/** Returns the storage class of a new volume: the named one, or the default. */
export function chosenClass(classes: StorageClasses, name: string | null): StorageClassView {
  const known = requireStorageClasses(classes)
  const chosen = known.find((each) => (name === null ? each.isDefault : each.name === name))
  if (chosen) return chosen
  if (known.length === 0) throw new Fault('feature_disabled', messageOf('volume.no_storage_class'))
  if (name !== null) throw notFound('storage class', name)
  throw invalid('storageClass', messageOf('field.storage_class_needed'))
}

/** Refuses a request before the storage classes are known. */
export function requireStorageClasses(classes: StorageClasses): readonly StorageClassView[] {
  if (classes) return classes
  throw storageClassesUnknown()
}

/** Returns the fault for requests before the storage classes are known. */
export const storageClassesUnknown = (): Fault =>
  new Fault('cluster_unavailable', messageOf('volume.storage_untold'), { retryAfterSeconds: 2 })
