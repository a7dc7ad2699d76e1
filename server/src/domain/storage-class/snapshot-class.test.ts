import { expect, test } from 'vitest'
import { messageOf } from '../../engine/model/message.ts'
import { chooseSnapshotClass } from './snapshot-class.ts'

const of = (name: string, driver = 'csi.a', isDefault = false) => ({ name, driver, isDefault })
const storage = { storageClass: 'a', driver: 'csi.a', profileClass: null, configuredClass: null }
const two = [of('one'), of('two')]
const other = [of('other', 'csi.b', true)]
const several = { missing: messageOf('capability.ambiguous_snapshot_class', { class: 'a' }) }
const none = { missing: messageOf('capability.no_snapshot_class', { class: 'a' }) }

test.for([
  ['the configured class wins', { configuredClass: 'one', profileClass: 'two' }, two, 'one'],
  [
    'the class of the StorageProfile wins over the default',
    { profileClass: 'one' },
    [of('one'), of('two', 'csi.a', true)],
    'one',
  ],
  [
    'the class of the StorageProfile is enough without a default',
    { profileClass: 'two' },
    two,
    'two',
  ],
  [
    'the default of the driver wins over its other classes',
    {},
    [of('one'), of('two', 'csi.a', true)],
    'two',
  ],
  ['the only class of the driver needs no default', {}, [of('one'), ...other], 'one'],
  [
    'a configured class of another driver does not count',
    { configuredClass: 'other' },
    [of('one'), ...other],
    'one',
  ],
  [
    'a StorageProfile that names a class which is gone does not count',
    { profileClass: 'gone' },
    [of('one')],
    'one',
  ],
  ['several classes without a default are refused', {}, two, several],
  [
    'several defaults are refused',
    {},
    [of('one', 'csi.a', true), of('two', 'csi.a', true)],
    several,
  ],
  [
    'a driver without a class is refused',
    { configuredClass: 'other', profileClass: 'other' },
    other,
    none,
  ],
] as const)('a snapshot class is chosen: %s', ([, choice, classes, result]) => {
  expect(chooseSnapshotClass({ ...storage, ...choice }, classes)).toEqual(
    typeof result === 'string' ? { name: result } : result,
  )
})
