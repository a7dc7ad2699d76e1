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

const byMove = 'a VM that runs gets a NIC by moving to another host, and'

/** Why it is not done while the VM runs, after a `because`. */
export const whyCold: Readonly<Record<ColdReason, string>> = {
  unknown: 'the platform had not said yet what it can do while a VM runs',
  platform: 'this platform does not do that while a VM runs',
  one_host: `${byMove} there is only one host`,
  disks: `${byMove} one of its disks can be on one host at a time only`,
  host: `${byMove} something in it is bound to its host`,
  network: 'its network gives a VM its addresses when that starts',
  not_running: 'the VM was not running as usual',
  not_in_time: 'it could not be done in time while the VM runs',
}
