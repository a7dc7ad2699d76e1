import { type VolumeState } from './state.ts'

const restingStates: readonly VolumeState[] = ['ready', 'attached']

export interface VolumeProgress {
  sizeGi: number
  grownGi?: number | null
  vmId?: string | null
  deleteRequestedAt?: unknown
}

/**
 * True when the volume has the requested size and VM, or when its creation failed: a change of its
 * objects shows that it succeeded after all. The full pass of the reconciler skips such a volume.
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
