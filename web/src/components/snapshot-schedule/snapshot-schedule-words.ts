import { CalendarSync, Pause, Play, Trash2 } from '@lucide/vue'
import type { SnapshotScheduleRow } from '../../api/storage/snapshot-schedules.ts'
import type { Look } from '../state-words.ts'

const looks: Record<SnapshotScheduleRow['state'] | 'failing', Look> = {
  active: { words: 'Active', tone: 'good' },
  failing: { words: 'Failing', tone: 'warn' },
  paused: { words: 'On hold', tone: 'idle' },
  stopped: { words: 'Given up', tone: 'bad' },
}

export type ScheduleDeed = keyof SnapshotScheduleRow['refusals']

export const scheduleDeeds = [
  { deed: 'update', label: 'Change', icon: CalendarSync },
  { deed: 'pause', label: 'Pause', icon: Pause },
  { deed: 'resume', label: 'Resume', icon: Play },
  { deed: 'delete', label: 'Delete', icon: Trash2 },
] as const

export const scheduleLook = ({ state, explanation }: SnapshotScheduleRow): Look =>
  looks[explanation?.code ?? state]

/** Why it takes none, and what to do; null when all is plain. */
export function scheduleReason({ explanation }: SnapshotScheduleRow): string | null {
  if (!explanation) return null
  const { summary, nextStep } = explanation
  return `${summary} ${nextStep}`
}

/** Its snapshots are called by it. */
export const snapshotsOf = ({ name, vmId }: SnapshotScheduleRow) => ({
  path: vmId ? '/vm-snapshots' : '/snapshots',
  query: { search: name },
})
