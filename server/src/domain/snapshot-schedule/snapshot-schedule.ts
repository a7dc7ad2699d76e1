import { type FaultCode } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const snapshotScheduleStates = ['active', 'paused', 'stopped'] as const
/** Paused by somebody, or stopped by the platform because it has failed too often. */
export type SnapshotScheduleState = (typeof snapshotScheduleStates)[number]

export interface ScheduleFailure {
  code: FaultCode
  message: Message
  at: string
}

/** Snapshots that are taken again and again, as their tenant sees that. */
export interface SnapshotScheduleView {
  id: string
  tenantId: string
  name: string
  /** It is of this volume or of a machine. */
  volumeId: string | null
  vmId: string | null
  targetName: string
  cron: string
  timeZone: string
  /** How many of its snapshots stay. */
  keep: number
  /** It is also taken where disks of the machine will be missing in it. */
  acceptMissing: boolean
  /** Who made it. */
  ownerId: string
  ownerName: string
  state: SnapshotScheduleState
  /** Runs are counted from here on: it was made, timed otherwise or resumed, or has run. */
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

/** So many failures in a row stop a schedule. */
export const mostFailures = 3

/** So many schedules one volume or one machine can have. */
export const mostSchedules = 10

const mostKept = 100

export function requireKeep(keep: number): number {
  if (!Number.isInteger(keep) || keep < 1 || keep > mostKept)
    throw invalid('keep', messageOf('schedule.kept_range', { most: mostKept }))
  return keep
}
