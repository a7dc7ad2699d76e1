import { expect, test } from 'vitest'
import {
  available,
  type Capabilities,
  missing,
  type SnapshotClass,
  type StorageClassAbilities,
} from './capabilities.ts'
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
  snapshot: missing('no class'),
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

test.each([
  ['the operator’s choice', [snapshots('one', 'a', true), snapshots('two', 'a')], 'two', 'two'],
  ['the default of the driver', [snapshots('one', 'a'), snapshots('two', 'a', true)], null, 'two'],
  [
    'the only one of the driver',
    [snapshots('one', 'a'), snapshots('other', 'b', true)],
    null,
    'one',
  ],
  ['nothing where there are several', [snapshots('one', 'a'), snapshots('two', 'a')], null, null],
  [
    'not the operator’s choice where that is another driver’s',
    [snapshots('one', 'a'), snapshots('other', 'b')],
    'other',
    'one',
  ],
  ['nothing where no class is the driver’s', [snapshots('other', 'b', true)], 'other', null],
])('snapshots are taken by %s', (...[, classes, wished, chosen]) => {
  const [only] = storageClassesOf(found([storage('a')], classes), {
    ...none,
    snapshotClass: wished,
  })
  expect(only).toMatchObject({ snapshotClass: chosen, snapshot: { available: chosen !== null } })
})
