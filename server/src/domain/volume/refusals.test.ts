import { expect, test } from 'vitest'
import { type StorageClassView } from '../storage-class/storage-class.ts'
import { volumeRefusal } from './refusals.ts'

const volume = {
  name: 'data',
  state: 'ready',
  deleting: false,
  vmId: null,
  heldBy: null,
  bound: true,
  storageClass: 'slow',
} as const

const no = { available: false, reason: null }
const slow: StorageClassView = {
  name: 'slow',
  isDefault: true,
  binding: 'immediate',
  accessModes: [],
  expand: no,
  snapshot: no,
  liveMigrate: no,
  snapshotClass: null,
}

test.each([
  { action: 'resize', classes: [slow], key: 'volume.cannot_grow' },
  { action: 'resize', classes: [], key: 'volume.cannot_grow_without_class' },
  { action: 'snapshot', classes: [slow], key: 'volume.no_snapshots' },
  { action: 'snapshot', classes: [], key: 'volume.no_snapshots_without_class' },
] as const)(
  'the refusal of action $action is $key with the storage classes $classes.length',
  ({ action, classes, key }) => {
    const params = { name: 'data', class: 'slow' }
    expect(volumeRefusal(action, volume, classes)?.userMessage).toMatchObject({ key, params })
  },
)
