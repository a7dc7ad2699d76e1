import { expect, test } from 'vitest'
import { type StorageClassView } from '../storage-class/storage-class.ts'
import { vmSnapshotRefusal, volumeRefusal } from './refusals.ts'

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

test.each([
  { state: 'creating', bound: false, vmState: 'Running', key: 'volume.creating' },
  { state: 'failed', bound: false, vmState: 'Stopped', key: 'volume.failed_of_vm' },
  { state: 'lost', bound: false, vmState: 'Stopped', key: 'volume.lost_of_vm' },
  { state: 'lost', bound: true, vmState: 'Running', key: 'volume.lost_of_vm' },
  { state: 'attaching', bound: false, vmState: 'Running', key: 'volume.unbound_in_vm' },
  { state: 'attached', bound: false, vmState: 'Stopped', key: 'volume.unbound_of_vm' },
  { state: 'attached', bound: false, vmState: 'Error', key: 'volume.unbound_of_vm' },
  { state: 'attached', bound: true, vmState: 'Running', key: undefined },
] as const)(
  'the refusal of a snapshot of a VM in $vmState is $key when its volume is $state and bound: $bound',
  ({ state, bound, vmState, key }) => {
    const vm = { name: 'db-1', state: vmState }
    const refusal = vmSnapshotRefusal({ ...volume, state, bound, vmId: 'vm' }, vm)
    expect(refusal?.userMessage.key).toBe(key)
  },
)
