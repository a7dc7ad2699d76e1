/**
 * What of a platform keeps NICs from coming to guests that run, or from leaving them; null where
 * nothing does.
 */
export interface NicHindrances {
  attach: 'platform' | 'one_host' | null
  detach: 'platform' | null
}

/** What keeps a guest where it is. */
export const stayReasons = ['disks', 'host'] as const
export type StayReason = (typeof stayReasons)[number]

/** What a NIC waits for a start for. */
export const coldReasons = [
  'unknown',
  'platform',
  'one_host',
  ...stayReasons,
  'network',
  'not_running',
  'not_in_time',
] as const
export type ColdReason = (typeof coldReasons)[number]

/**
 * What a NIC that is not where it is to be waits for: a start, or that what is left of it is
 * cleared away.
 */
export const nicWaits = [...coldReasons, 'clearing'] as const
export type NicWait = (typeof nicWaits)[number]
