import { requireCron } from './cron.ts'
import { nextTime } from './next-time.ts'
import { requireTimeZone } from './local-time.ts'

/**
 * Returns when a snapshot schedule is due next, or null when it is never due again. It counts from
 * `timedFrom`: the last run, or a later start or change of the schedule.
 */
export function nextDueTime({
  cron,
  timeZone,
  timedFrom,
}: {
  cron: string
  timeZone: string
  timedFrom: string
}): number | null {
  return nextTime(requireCron(cron, 'cron').times, timeZone, Date.parse(timedFrom))
}

/** Returns up to `limit` due times after the instant. */
export function upcomingTimes(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
  limit: number,
): number[] {
  const { times } = requireCron(cron, 'cron')
  const zone = requireTimeZone(timeZone, 'timeZone')
  const dueTimes: number[] = []
  for (
    let next = nextTime(times, zone, afterMs);
    next !== null && dueTimes.length < limit;
    next = nextTime(times, zone, next)
  )
    dueTimes.push(next)
  return dueTimes
}
