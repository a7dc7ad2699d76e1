import { type SeenHolder } from './seen.ts'

const released: readonly SeenHolder['run'][] = ['off', 'without']

/** True when the VM may still write to the volume. */
export const isHeld = (holder: SeenHolder | null): boolean =>
  holder !== null && (holder.isDescribed || !released.includes(holder.run))

/**
 * True when an attachment is complete: the VM has the volume, or is off and gets it at the next
 * start.
 */
export const hasArrived = (holder: SeenHolder | null): boolean =>
  holder !== null && holder.isDescribed && (holder.run === 'off' || holder.run === 'there')
