import { type FaultCode } from '../../engine/model/fault.ts'
import { type SnapshotScheduleView, mostFailures } from './snapshot-schedule.ts'

export const scheduleExplanationCodes = ['paused', 'stopped', 'failing'] as const
export type ScheduleExplanationCode = (typeof scheduleExplanationCodes)[number]

export interface ScheduleExplanation {
  code: ScheduleExplanationCode
  summary: string
  nextStep: string
  whoCanFix: 'you' | 'operator' | 'nobody'
}

/** What there is to explain about a schedule; null when all is plain. */
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
  const whoCanFix = theOperators.includes(code) ? 'operator' : 'you'
  const remedy =
    whoCanFix === 'operator' ? 'Ask the operator what hinders it' : 'Do what the reason says'
  if (state === 'stopped')
    return {
      code: state,
      whoCanFix,
      nextStep: `${remedy}, and resume the schedule.`,
      summary: `${stoppedWords} ${message}`,
    }
  return {
    code: 'failing',
    whoCanFix,
    nextStep: `${remedy}; after ${mostFailures} failures in a row the schedule stops.`,
    summary: `The last ${failuresInRow === 1 ? 'run' : `${failuresInRow} runs`} failed. ${message}`,
  }
}

const paused: ScheduleExplanation = {
  code: 'paused',
  summary: 'Somebody has paused the schedule; it takes no snapshots.',
  nextStep: 'Resume it when snapshots are wanted again.',
  whoCanFix: 'you',
}
const stoppedWords = `The schedule has stopped, because ${mostFailures} runs in a row failed.`

/** What no tenant can put right. */
const theOperators: readonly FaultCode[] = [
  'capacity',
  'cluster_name_conflict',
  'cluster_unavailable',
  'internal',
  'platform_error',
  'timeout',
]
