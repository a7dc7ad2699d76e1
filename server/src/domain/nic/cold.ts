/**
 * The platform's obstacles to attaching and detaching NICs of running VMs; null when there is none.
 */
export interface NicHindrances {
  attach: 'platform' | 'one_host' | null
  detach: 'platform' | null
}

/** Reasons why a VM cannot be live-migrated. */
export const stayReasons = ['disks', 'host'] as const
export type StayReason = (typeof stayReasons)[number]

/** Reasons why a NIC change waits for the next start of the VM. */
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
 * Reasons why a NIC is not in its desired state: it waits for a start, or for cleanup of the
 * detached NIC.
 */
export const nicWaits = [...coldReasons, 'clearing'] as const
export type NicWait = (typeof nicWaits)[number]
