import { type ObservedHolder } from './observed.ts'

/*
 * Rules about the holder of a volume: the VM that has it attached, or has not released it yet.
 */

const released: readonly ObservedHolder['vmiState'][] = ['off', 'without']

/** True when the VM may still write to the volume. */
export const isHeld = (holder: ObservedHolder | null): boolean =>
  holder !== null && (holder.isInSpec || !released.includes(holder.vmiState))

/**
 * True when an attachment is complete: the VM has the volume, or is off and gets it at the next
 * start.
 */
export const isAttached = (holder: ObservedHolder | null): boolean =>
  holder !== null && holder.isInSpec && (holder.vmiState === 'off' || holder.vmiState === 'there')
