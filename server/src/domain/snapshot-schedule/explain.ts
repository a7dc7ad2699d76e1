import { type FaultCode } from '../../engine/model/fault.ts'
import { type SnapshotScheduleView, maxFailures } from './snapshot-schedule.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export const scheduleExplanationCodes = ['paused', 'stopped', 'failing'] as const
export type ScheduleExplanationCode = (typeof scheduleExplanationCodes)[number]

export interface ScheduleExplanation {
  code: ScheduleExplanationCode
  summary: Message
  nextStep: Message
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** Explains why a schedule does not take snapshots as configured, or null when it does. */
export function explain({
  state,
  failuresInRow,
  lastFailure,
}: Pick<
  SnapshotScheduleView,
  'state' | 'failuresInRow' | 'lastFailure'
>): ScheduleExplanation | null {
  if (state === 'paused') return paused
  if (!lastFailure) return null
  const { code, message } = lastFailure
  const whoCanFix = operatorFaults.includes(code) ? 'operator' : 'you'
  const remedy = whoCanFix === 'operator' ? 'ask_operator' : 'do_it'
  if (state === 'stopped')
    return {
      code: state,
      whoCanFix,
      nextStep: messageOf(`schedule.stopped.${remedy}`),
      summary: messageOf('schedule.stopped.summary', { most: maxFailures, why: message }),
    }
  return {
    code: 'failing',
    whoCanFix,
    nextStep: messageOf(`schedule.failing.${remedy}`, { most: maxFailures }),
    summary: messageOf('schedule.failing.summary', { n: failuresInRow, why: message }),
  }
}

const paused: ScheduleExplanation = {
  code: 'paused',
  summary: messageOf('schedule.paused.summary'),
  nextStep: messageOf('schedule.paused.nextStep'),
  whoCanFix: 'you',
}

/** Faults that only the operator can fix. */
const operatorFaults: readonly FaultCode[] = [
  'capacity',
  'cluster_name_conflict',
  'cluster_unavailable',
  'internal',
  'platform_error',
  'timeout',
]
