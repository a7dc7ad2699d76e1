import { type StorageClassView } from '../../domain/storage-class/storage-class.ts'
import {
  available,
  type Capabilities,
  type SnapshotClass,
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

/**
 * The operator's choice where it is of the same driver; otherwise the driver's default, or its only
 * one.
 */
function snapshotsOf(
  { provisioner, snapshot }: StorageClassAbilities,
  classes: readonly SnapshotClass[],
  wished: string | null,
): Pick<StorageClassView, 'snapshot' | 'snapshotClass'> {
  const fitting = classes.filter(({ driver }) => driver === provisioner)
  const chosen =
    fitting.find(({ name }) => name === wished) ??
    fitting.find(({ isDefault }) => isDefault) ??
    onlyOf(fitting)
  return chosen
    ? { snapshot: available, snapshotClass: chosen.name }
    : { snapshot, snapshotClass: null }
}

const onlyOf = (classes: readonly SnapshotClass[]): SnapshotClass | null =>
  classes.length === 1 ? (classes[0] ?? null) : null
