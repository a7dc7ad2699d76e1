import { Fault, notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Whether something can be done; where it cannot, why not. */
export interface Ability {
  available: boolean
  reason: Message | null
}

export const volumeBindings = ['immediate', 'first_use'] as const
export type VolumeBinding = (typeof volumeBindings)[number]

/** A kind of storage that volumes can be on, and what they can do there. */
export interface StorageClassView {
  name: string
  /** Volumes that name none are on it. */
  isDefault: boolean
  /**
   * Whether a volume takes room at once, or where and when something uses it for the first time.
   */
  binding: VolumeBinding
  accessModes: readonly string[]
  expand: Ability
  snapshot: Ability
  liveMigrate: Ability
  /** How the cluster is told to take snapshots; null where it cannot. */
  snapshotClass: string | null
}

/** All that there are; null while the cluster did not answer. */
export type StorageClasses = readonly StorageClassView[] | null

/** The class of a volume that is to be made: the one that is named, or the default. */
export function chosenClass(classes: StorageClasses, name: string | null): StorageClassView {
  const known = mustBeKnown(classes)
  const chosen = known.find((each) => (name === null ? each.isDefault : each.name === name))
  if (chosen) return chosen
  if (name !== null) throw notFound('storage class', name)
  throw invalid('storageClass', messageOf('field.storage_class_needed'))
}

export function mustBeKnown(classes: StorageClasses): readonly StorageClassView[] {
  if (classes) return classes
  throw notTold()
}

/** What is refused as long as the cluster did not answer. */
export const notTold = (): Fault =>
  new Fault('cluster_unavailable', messageOf('volume.storage_untold'), { retryAfterSeconds: 2 })
