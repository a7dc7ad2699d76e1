import { type Message, messageOf } from '../../engine/model/message.ts'

export interface SnapshotClass {
  name: string
  driver: string
  isDefault: boolean
}

interface SnapshotClassChoice {
  storageClass: string
  /** The CSI driver of the storage class. */
  driver: string
  /** The class that CDI's StorageProfile of the storage class names. */
  profileClass: string | null
  /** The class that the operator configured for the platform. */
  configuredClass: string | null
}

/**
 * Chooses the VolumeSnapshotClass for volumes of a storage class, or says why there is none. The
 * order after the operator's choice is KubeVirt's: the StorageProfile, then the driver's classes.
 */
export function chooseSnapshotClass(
  { storageClass, driver, profileClass, configuredClass }: SnapshotClassChoice,
  all: readonly SnapshotClass[],
): { name: string } | { missing: Message } {
  const classes = all.filter((each) => each.driver === driver)
  const defaults = classes.filter(({ isDefault }) => isDefault)
  const chosen =
    classes.find(({ name }) => name === configuredClass) ??
    classes.find(({ name }) => name === profileClass) ??
    only(defaults) ??
    only(classes)
  if (chosen) return { name: chosen.name }
  return {
    missing: messageOf(
      classes.length === 0 ? 'capability.no_snapshot_class' : 'capability.ambiguous_snapshot_class',
      { class: storageClass },
    ),
  }
}

const only = (classes: readonly SnapshotClass[]): SnapshotClass | null =>
  classes.length === 1 ? (classes[0] ?? null) : null
