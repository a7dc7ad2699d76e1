import { expect, test } from 'vitest'
import { type SnapshotClass } from '../../domain/storage-class/snapshot-class.ts'
import { available, type Capabilities, type StorageClassAbilities } from './capabilities.ts'
import { type StorageWishes, storageClassesOf } from './storage-classes.ts'

const storage = (
  name: string,
  different: Partial<StorageClassAbilities> = {},
): StorageClassAbilities => ({
  name,
  provisioner: `csi.${name}`,
  isDefault: false,
  bindsOnFirstUse: false,
  accessModes: ['ReadWriteOnce'],
  expand: available,
  profileSnapshotClass: null,
  liveMigrate: available,
  import: available,
  cloneBy: 'copy',
  ...different,
})
const snapshots = (name: string, of: string, isDefault = false): SnapshotClass => ({
  name,
  driver: `csi.${of}`,
  isDefault,
})

// Nothing else of it is looked at.
const found = (storageClasses: StorageClassAbilities[], snapshotClasses: SnapshotClass[] = []) =>
  ({ storageClasses, snapshotClasses }) as unknown as Capabilities

const none: StorageWishes = { defaultClass: null, snapshotClass: null }

test('one class is the default: the operator’s, or the cluster’s first', () => {
  const both = found([
    storage('a', { isDefault: true }),
    storage('b', { isDefault: true }),
    storage('c'),
  ])
  const defaults = (wishes = none) =>
    storageClassesOf(both, wishes).flatMap(({ name, isDefault }) => (isDefault ? [name] : []))
  expect(defaults()).toEqual(['a'])
  expect(defaults({ ...none, defaultClass: 'c' })).toEqual(['c'])
})

test('a storage class offers snapshots with the class that was chosen for it, or says why not', () => {
  const classes = [snapshots('one', 'a'), snapshots('two', 'a')]
  const views = storageClassesOf(
    found([storage('a', { profileSnapshotClass: 'two' }), storage('b')], classes),
    none,
  )
  expect(views).toMatchObject([
    { snapshotClass: 'two', snapshot: { available: true } },
    {
      snapshotClass: null,
      snapshot: { reason: { key: 'capability.no_snapshot_class', params: { class: 'b' } } },
    },
  ])
})
