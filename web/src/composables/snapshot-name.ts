import { systemClock } from '../runtime/clock.ts'

/** What a snapshot may be called when nobody says otherwise: whose it is, and the day. */
export const suggestedSnapshotName = (of: string): string =>
  `${of.slice(0, 52)}-${new Date(systemClock.now()).toISOString().slice(0, 10)}`
