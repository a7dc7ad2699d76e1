import { Fault } from '../../engine/model/fault.ts'
import { type SnapshotScheduleState, type SnapshotScheduleView } from './snapshot-schedule.ts'
import { messageOf } from '../../engine/model/message.ts'

export const scheduleActions = ['pause', 'resume', 'update', 'delete'] as const
export type ScheduleAction = (typeof scheduleActions)[number]

const refusedIn: Readonly<Record<ScheduleAction, readonly SnapshotScheduleState[]>> = {
  pause: ['paused', 'stopped'],
  resume: ['active'],
  update: [],
  delete: [],
}

/** Returns why the action is refused now, or null when it is allowed. */
export function scheduleRefusal(
  action: ScheduleAction,
  { name, state }: Pick<SnapshotScheduleView, 'name' | 'state'>,
): Fault | null {
  return refusedIn[action].includes(state)
    ? new Fault('wrong_state', messageOf(`schedule.${state}_already`, { name }))
    : null
}
