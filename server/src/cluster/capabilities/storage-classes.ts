import {
  type SnapshotClass,
  chooseSnapshotClass,
} from '../../domain/storage-class/snapshot-class.ts'
import { type StorageClassView } from '../../domain/storage-class/storage-class.ts'
import {
  available,
  type Capabilities,
  unavailable,
  type StorageClassCapabilities,
} from './capabilities.ts'

/** Choices of the operator that override the cluster's defaults. */
export interface StoragePreferences {
  defaultClass: string | null
  snapshotClass: string | null
}

/** Returns the storage classes that tenants can choose; null when Berth may not list them. */
export function storageClassesOf(
  { storageClasses, snapshotClassesRefused, snapshotClasses }: Capabilities,
  preferences: StoragePreferences,
): StorageClassView[] | null {
  if (storageClasses === null) return null
  const defaultName =
    preferences.defaultClass ?? storageClasses.find(({ isDefault }) => isDefault)?.name
  return storageClasses.map((each) => ({
    name: each.name,
    accessModes: each.accessModes,
    expand: each.expand,
    liveMigrate: each.liveMigrate,
    isDefault: each.name === defaultName,
    binding: each.bindsOnFirstUse ? 'first_use' : 'immediate',
    ...(snapshotClassesRefused
      ? { snapshot: unavailable(snapshotClassesRefused), snapshotClass: null }
      : snapshotsOf(each, snapshotClasses, preferences.snapshotClass)),
  }))
}

function snapshotsOf(
  { name, provisioner, profileSnapshotClass }: StorageClassCapabilities,
  classes: readonly SnapshotClass[],
  configuredClass: string | null,
): Pick<StorageClassView, 'snapshot' | 'snapshotClass'> {
  const chosen = chooseSnapshotClass(
    {
      storageClass: name,
      driver: provisioner,
      profileClass: profileSnapshotClass,
      configuredClass,
    },
    classes,
  )
  return 'name' in chosen
    ? { snapshot: available, snapshotClass: chosen.name }
    : { snapshot: unavailable(chosen.missing), snapshotClass: null }
}
