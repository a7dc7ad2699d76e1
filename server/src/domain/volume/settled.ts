import { type VolumeState } from './state.ts'

const restingStates: readonly VolumeState[] = ['ready', 'attached']

export interface VolumeProgress {
  sizeGi: number
  grownGi?: number | null
  vmId?: string | null
  deleteRequestedAt?: unknown
}

/**
 * The full pass of the reconciler skips a settled volume that the cluster has not changed. * True
 * when the volume has the requested size and VM, or could not be created and nothing of it is left.
 */
export function isSettled(
  volume: VolumeProgress,
  { state, heldBy }: { state: VolumeState; heldBy: string | null },
): boolean {
  if (volume.deleteRequestedAt) return false
  if (state === 'failed') return true
  return (
    restingStates.includes(state) &&
    volume.sizeGi === volume.grownGi &&
    (volume.vmId ?? null) === heldBy
  )
}
