import { expect, test } from 'vitest'
import { type SnapshotClass } from '../../domain/storage-class/snapshot-class.ts'
import { available, type Capabilities, type StorageClassCapabilities } from './capabilities.ts'
import { type StoragePreferences, storageClassesOf } from './storage-classes.ts'

const storage = (
  name: string,
  different: Partial<StorageClassCapabilities> = {},
): StorageClassCapabilities => ({
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

// `storageClassesOf` reads no other field.
const capabilitiesOf = (
  storageClasses: StorageClassCapabilities[],
  snapshotClasses: SnapshotClass[] = [],
) => ({ storageClasses, snapshotClasses }) as unknown as Capabilities

const none: StoragePreferences = { defaultClass: null, snapshotClass: null }

test('the configured storage class is the default, or else the first default of the cluster', () => {
  const both = capabilitiesOf([
    storage('a', { isDefault: true }),
    storage('b', { isDefault: true }),
    storage('c'),
  ])
  const defaults = (preferences = none) =>
    (storageClassesOf(both, preferences) ?? []).flatMap(({ name, isDefault }) =>
      isDefault ? [name] : [],
    )
  expect(defaults()).toEqual(['a'])
  expect(defaults({ ...none, defaultClass: 'c' })).toEqual(['c'])
})

test('a storage class offers snapshots with its snapshot class or tells why it cannot', () => {
  const classes = [snapshots('one', 'a'), snapshots('two', 'a')]
  const views = storageClassesOf(
    capabilitiesOf([storage('a', { profileSnapshotClass: 'two' }), storage('b')], classes),
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
