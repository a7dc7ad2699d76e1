import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../json.ts'

/** A machine, a volume in it or beside it, and where they are needed a snapshot of each. */
export interface StorageScene {
  vmId: string
  volumeId: string
  /** Of the volume; empty where nobody asks anything of it. */
  copyId: string
  /** Of the machine. */
  snapshotId: string
}

/** What is left of a scene when all is over, and of what the act has made. */
export interface StorageLeft {
  volume: Json
  machine: Json
  copy: Json
  snapshot: Json
  made: Json
}

type Thing = 'volume' | 'machine' | 'copy' | 'snapshot'

interface StorageAct {
  kind: OperationKind
  /** Two acts on the same of these race. */
  touches: readonly Thing[]
  /** Where the volume has to be for it. */
  where?: 'in' | 'out'
  verb: string
  input: (scene: StorageScene, name: string) => Json
  /** It has come to pass. */
  holds: (left: StorageLeft) => boolean
  /** What may keep it from coming to pass, or undo it, when it is asked for beside it. */
  yieldsTo?: readonly string[]
}

const isGone = (row: Json): boolean => row.gone_at !== null
const isReady = (row: Json): boolean => !isGone(row) && row.state === 'ready'

/** What a tenant can ask of a machine, its volume and the snapshots of both. */
export const storageActs = {
  'attach the volume': {
    kind: 'attach_volume',
    touches: ['volume', 'machine'],
    where: 'out',
    verb: 'attachVolume',
    input: ({ vmId, volumeId }) => ({ id: volumeId, vmId }),
    holds: ({ volume }) => volume.state === 'attached' && volume.isIn && volume.isHeld,
    yieldsTo: ['detach the volume', 'delete the VM'],
  },
  'detach the volume': {
    kind: 'detach_volume',
    touches: ['volume', 'machine'],
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
    touches: ['volume', 'copy'],
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
    touches: ['copy'],
    verb: 'deleteVolumeSnapshot',
    input: ({ copyId }) => ({ id: copyId }),
    holds: ({ copy }) => isGone(copy),
  },
  'make a volume from the snapshot': {
    kind: 'create_volume',
    touches: ['copy'],
    verb: 'createVolume',
    input: ({ copyId }, name) => ({ snapshotId: copyId, name }),
    holds: ({ made }) => isReady(made),
  },
  'take a snapshot of the VM': {
    kind: 'create_vm_snapshot',
    touches: ['machine', 'volume'],
    verb: 'createVmSnapshot',
    input: ({ vmId }, name) => ({ vmId, name, acceptMissing: true }),
    holds: ({ made }) => isReady(made),
    yieldsTo: ['delete the VM'],
  },
  'delete the snapshot of the VM': {
    kind: 'delete_vm_snapshot',
    touches: ['snapshot'],
    verb: 'deleteVmSnapshot',
    input: ({ snapshotId }) => ({ id: snapshotId }),
    holds: ({ snapshot }) => isGone(snapshot),
  },
  'restore the VM': {
    kind: 'restore_vm',
    touches: ['machine', 'volume', 'snapshot'],
    verb: 'restoreVm',
    input: ({ vmId, snapshotId }) => ({ vmId, snapshotId, safetySnapshot: false, stop: true }),
    holds: ({ machine }) =>
      machine.restored_id !== null && machine.restored_id === machine.restore_id,
    yieldsTo: ['delete the VM'],
  },
  'copy the VM': {
    kind: 'deploy_vm',
    touches: ['machine', 'volume', 'snapshot'],
    verb: 'cloneVmSnapshot',
    input: ({ snapshotId }, name) => ({ snapshotId, name, start: false }),
    holds: ({ made }) => !isGone(made) && made.state === 'Stopped',
  },
  'delete the VM': {
    kind: 'delete_vm',
    touches: ['machine', 'volume'],
    verb: 'deleteVm',
    input: ({ vmId }) => ({ id: vmId }),
    holds: ({ machine, volume }) => isGone(machine) && !volume.isIn && !volume.isHeld,
  },
} as const satisfies Record<string, StorageAct>

export type StorageActName = keyof typeof storageActs
export const storageActNames = Object.keys(storageActs) as StorageActName[]
export const storageAct = (name: StorageActName): StorageAct => storageActs[name]
