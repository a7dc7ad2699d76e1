import { type SeenHolder } from './seen.ts'

const letGo: readonly SeenHolder['run'][] = ['off', 'without']

/** Whether the machine may still write to it. */
export const isHeld = (holder: SeenHolder | null): boolean =>
  holder !== null && (holder.isDescribed || !letGo.includes(holder.run))

/**
 * Whether the machine has it, or is off and gets it with its start: what an attachment promised.
 */
export const hasArrived = (holder: SeenHolder | null): boolean =>
  holder !== null && holder.isDescribed && (holder.run === 'off' || holder.run === 'there')
