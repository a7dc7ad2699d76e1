/**
 * The platform's obstacles to attaching and detaching NICs of running VMs; null when there is none.
 */
export interface NicHotplugObstacles {
  attach: 'platform' | 'one_host' | null
  detach: 'platform' | null
}

/** Reasons why a VM cannot be live-migrated. */
export const migrationObstacles = ['disks', 'host'] as const
export type MigrationObstacle = (typeof migrationObstacles)[number]

/** Reasons why a NIC change waits for the next start of the VM. */
export const nicWaitReasons = [
  'unknown',
  'platform',
  'one_host',
  ...migrationObstacles,
  'network',
  'not_running',
  'not_in_time',
] as const
export type NicWaitReason = (typeof nicWaitReasons)[number]

/**
 * Reasons why a NIC is not in its desired state: it waits for a start, or for cleanup of the
 * detached NIC.
 */
export const nicWaits = [...nicWaitReasons, 'clearing'] as const
export type NicWait = (typeof nicWaits)[number]
