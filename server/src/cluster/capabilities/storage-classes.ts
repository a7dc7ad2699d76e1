import {
  type SnapshotClass,
  chooseSnapshotClass,
} from '../../domain/storage-class/snapshot-class.ts'
import { type StorageClassView } from '../../domain/storage-class/storage-class.ts'
import {
  available,
  type Capabilities,
  missing,
  type StorageClassAbilities,
} from './capabilities.ts'

/** What an operator may decide instead of the cluster. */
export interface StorageWishes {
  defaultClass: string | null
  snapshotClass: string | null
}

/** The kinds of storage that tenants may choose among. */
export function storageClassesOf(
  { storageClasses, snapshotClasses }: Capabilities,
  wishes: StorageWishes,
): StorageClassView[] {
  const defaultName = wishes.defaultClass ?? storageClasses.find(({ isDefault }) => isDefault)?.name
  return storageClasses.map((each) => ({
    name: each.name,
    accessModes: each.accessModes,
    expand: each.expand,
    liveMigrate: each.liveMigrate,
    isDefault: each.name === defaultName,
    binding: each.bindsOnFirstUse ? 'first_use' : 'immediate',
    ...snapshotsOf(each, snapshotClasses, wishes.snapshotClass),
  }))
}

function snapshotsOf(
  { name, provisioner, profileSnapshotClass }: StorageClassAbilities,
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
    : { snapshot: missing(chosen.missing), snapshotClass: null }
}
