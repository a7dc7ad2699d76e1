import { type FaultCode } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const snapshotScheduleStates = ['active', 'paused', 'stopped'] as const
/** A user pauses a schedule; the platform stops it after too many failures. */
export type SnapshotScheduleState = (typeof snapshotScheduleStates)[number]

export interface ScheduleFailure {
  code: FaultCode
  message: Message
  at: string
}

/** A snapshot schedule as its tenant sees it. */
export interface SnapshotScheduleView {
  id: string
  tenantId: string
  name: string
  /** Either `volumeId` or `vmId` is set. */
  volumeId: string | null
  vmId: string | null
  targetName: string
  cron: string
  timeZone: string
  /** How many good snapshots are retained. */
  keep: number
  /** Takes a VM snapshot even when some disks cannot be included. */
  acceptMissing: boolean
  /** The user who created the schedule. */
  ownerId: string
  ownerName: string
  state: SnapshotScheduleState
  /**
   * Due times are computed from this time: the last run, creation, resume or change of the times.
   */
  timedFrom: string
  lastDueAt: string | null
  lastRunAt: string | null
  lastSnapshotId: string | null
  failuresInRow: number
  lastFailure: ScheduleFailure | null
  version: number
  createdAt: string
  updatedAt: string
}

/** The number of consecutive failures that stops a schedule. */
export const maxFailures = 3

/** The maximum number of schedules of one volume or VM. */
export const maxSchedules = 10

const maxKeep = 100

export function requireKeep(keep: number): number {
  if (!Number.isInteger(keep) || keep < 1 || keep > maxKeep)
    throw invalid('keep', messageOf('field.from_to', { least: 1, most: maxKeep }))
  return keep
}
