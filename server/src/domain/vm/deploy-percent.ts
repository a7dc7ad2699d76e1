import { type VmState } from './state.ts'

/**
 * Returns how much of the last step of a deploy is done, in per cent: disks first, then the start.
 */
export function deployPercent({
  state,
  diskProgress,
}: {
  state: VmState
  diskProgress: number | null
}): number {
  if (state === 'Starting') return 90
  return state === 'Provisioning' ? Math.round((diskProgress ?? 0) * 0.8) : 0
}
