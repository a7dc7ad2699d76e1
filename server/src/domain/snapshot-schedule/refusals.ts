import { Fault } from '../../engine/model/fault.ts'
import { type SnapshotScheduleState, type SnapshotScheduleView } from './snapshot-schedule.ts'

export const scheduleActions = ['pause', 'resume', 'update', 'delete'] as const
export type ScheduleAction = (typeof scheduleActions)[number]

const refusedIn: Readonly<Record<ScheduleAction, Partial<Record<SnapshotScheduleState, string>>>> =
  {
    pause: { paused: 'is paused already', stopped: 'has stopped already' },
    resume: { active: 'is active already' },
    update: {},
    delete: {},
  }

/** Why the action is refused now, in words for a user; null when it is allowed. */
export function scheduleRefusal(
  action: ScheduleAction,
  { name, state }: Pick<SnapshotScheduleView, 'name' | 'state'>,
): Fault | null {
  const why = refusedIn[action][state]
  return why === undefined ? null : new Fault('wrong_state', `Schedule ${name} ${why}.`)
}
