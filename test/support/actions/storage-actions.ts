import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../json.ts'

/** A VM, a volume that is attached to it or not, and a snapshot of each when a test needs them. */
export interface StorageScene {
  vmId: string
  volumeId: string
  /** Empty when no action needs the snapshot. */
  volumeSnapshotId: string
  /** Empty when no action needs the snapshot. */
  vmSnapshotId: string
}

/** The final state of a scene, and of the object that the action created. */
export interface StorageLeft {
  volume: Json
  vm: Json
  volumeSnapshot: Json
  vmSnapshot: Json
  made: Json
}

type Thing = 'volume' | 'vm' | 'volumeSnapshot' | 'vmSnapshot'

interface StorageAction {
  kind: OperationKind
  /** Two actions that touch the same object race. */
  touches: readonly Thing[]
  /** The precondition: the volume is attached (`in`) or not (`out`). */
  where?: 'in' | 'out'
  verb: string
  input: (scene: StorageScene, name: string) => Json
  /** True when the action took effect. */
  holds: (left: StorageLeft) => boolean
  /** Concurrent actions that may prevent this one or undo its effect. */
  yieldsTo?: readonly string[]
}

const isGone = (row: Json): boolean => row.gone_at !== null
const isReady = (row: Json): boolean => !isGone(row) && row.state === 'ready'

/**
 * The actions of a tenant on a VM, its volume and the snapshots of both. A test runs every two that
 * touch the same object, one after the other and at once.
 */
export const storageActions = {
  'attach the volume': {
    kind: 'attach_volume',
    touches: ['volume', 'vm'],
    where: 'out',
    verb: 'attachVolume',
    input: ({ vmId, volumeId }) => ({ id: volumeId, vmId }),
    holds: ({ volume }) => volume.state === 'attached' && volume.isIn && volume.isHeld,
    yieldsTo: ['detach the volume', 'delete the VM'],
  },
  'detach the volume': {
    kind: 'detach_volume',
    touches: ['volume', 'vm'],
    where: 'in',
    verb: 'detachVolume',
    input: ({ volumeId }) => ({ id: volumeId }),
    holds: ({ volume }) => volume.state === 'ready' && !volume.isIn && !volume.isHeld,
    yieldsTo: ['attach the volume'],
  },
  'grow the volume': {
    kind: 'resize_volume',
    touches: ['volume'],
    verb: 'updateVolume',
    input: ({ volumeId }) => ({ id: volumeId, sizeGi: 2 }),
    holds: ({ volume }) => volume.size_gi === 2 && volume.grown_gi === 2,
    yieldsTo: ['delete the volume'],
  },
  'delete the volume': {
    kind: 'delete_volume',
    touches: ['volume', 'volumeSnapshot'],
    where: 'out',
    verb: 'deleteVolume',
    input: ({ volumeId }) => ({ id: volumeId }),
    holds: ({ volume }) => isGone(volume) && volume.claim === 404,
  },
  'take a snapshot of the volume': {
    kind: 'create_volume_snapshot',
    touches: ['volume'],
    verb: 'createVolumeSnapshot',
    input: ({ volumeId }, name) => ({ volumeId, name }),
    holds: ({ made }) => isReady(made),
  },
  'delete the snapshot of the volume': {
    kind: 'delete_volume_snapshot',
    touches: ['volumeSnapshot'],
    verb: 'deleteVolumeSnapshot',
    input: ({ volumeSnapshotId }) => ({ id: volumeSnapshotId }),
    holds: ({ volumeSnapshot }) => isGone(volumeSnapshot),
  },
  'make a volume from the snapshot': {
    kind: 'create_volume',
    touches: ['volumeSnapshot'],
    verb: 'createVolume',
    input: ({ volumeSnapshotId }, name) => ({ snapshotId: volumeSnapshotId, name }),
    holds: ({ made }) => isReady(made),
  },
  'take a snapshot of the VM': {
    kind: 'create_vm_snapshot',
    touches: ['vm', 'volume'],
    verb: 'createVmSnapshot',
    input: ({ vmId }, name) => ({ vmId, name, acceptMissing: true }),
    holds: ({ made }) => isReady(made),
    yieldsTo: ['delete the VM'],
  },
  'delete the snapshot of the VM': {
    kind: 'delete_vm_snapshot',
    touches: ['vmSnapshot'],
    verb: 'deleteVmSnapshot',
    input: ({ vmSnapshotId }) => ({ id: vmSnapshotId }),
    holds: ({ vmSnapshot }) => isGone(vmSnapshot),
  },
  'restore the VM': {
    kind: 'restore_vm',
    touches: ['vm', 'volume', 'vmSnapshot'],
    verb: 'restoreVm',
    input: ({ vmId, vmSnapshotId }) => ({
      vmId,
      snapshotId: vmSnapshotId,
      safetySnapshot: false,
      stop: true,
    }),
    holds: ({ vm }) => vm.restored_id !== null && vm.restored_id === vm.restore_id,
    yieldsTo: ['delete the VM'],
  },
  'copy the VM': {
    kind: 'deploy_vm',
    touches: ['vm', 'volume', 'vmSnapshot'],
    verb: 'cloneVmSnapshot',
    input: ({ vmSnapshotId }, name) => ({ snapshotId: vmSnapshotId, name, start: false }),
    holds: ({ made }) => !isGone(made) && made.state === 'Stopped',
  },
  'delete the VM': {
    kind: 'delete_vm',
    touches: ['vm', 'volume'],
    verb: 'deleteVm',
    input: ({ vmId }) => ({ id: vmId }),
    holds: ({ vm, volume }) => isGone(vm) && !volume.isIn && !volume.isHeld,
  },
} as const satisfies Record<string, StorageAction>

export type StorageActionName = keyof typeof storageActions
export const storageActionNames = Object.keys(storageActions) as StorageActionName[]
export const storageAction = (name: StorageActionName): StorageAction => storageActions[name]
