import { systemClock } from '../runtime/clock.ts'

/** Returns the suggested name of a snapshot: the name of its VM or volume, and the date. */
export const suggestedSnapshotName = (of: string): string =>
  `${of.slice(0, 52)}-${new Date(systemClock.now()).toISOString().slice(0, 10)}`
