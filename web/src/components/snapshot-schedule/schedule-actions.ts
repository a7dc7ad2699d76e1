import { CalendarSync, Pause, Play, Trash2 } from '@lucide/vue'
import type { SnapshotScheduleRow } from '../../api/storage/snapshot-schedules.ts'
import type { StateVariant } from '../state-variants.ts'

const variants: Record<SnapshotScheduleRow['state'] | 'failing', StateVariant> = {
  active: { label: 'Active', tone: 'good' },
  failing: { label: 'Failing', tone: 'warn' },
  paused: { label: 'On hold', tone: 'idle' },
  stopped: { label: 'Given up', tone: 'bad' },
}

export type ScheduleAction = keyof SnapshotScheduleRow['refusals']

export const scheduleActions = [
  { action: 'update', label: 'Change', icon: CalendarSync },
  { action: 'pause', label: 'Pause', icon: Pause },
  { action: 'resume', label: 'Resume', icon: Play },
  { action: 'delete', label: 'Delete', icon: Trash2 },
] as const

export const scheduleVariant = ({ state, explanation }: SnapshotScheduleRow): StateVariant =>
  variants[explanation?.code ?? state]

/** Returns why the schedule takes no snapshots and what to do; null when it works. */
export function scheduleReason({ explanation }: SnapshotScheduleRow): string | null {
  if (!explanation) return null
  const { summary, nextStep } = explanation
  return `${summary} ${nextStep}`
}

/** Returns the list of the schedule's snapshots. Their names begin with its name. */
export const snapshotsOf = ({ name, vmId }: SnapshotScheduleRow) => ({
  path: vmId ? '/vm-snapshots' : '/snapshots',
  query: { search: name },
})
