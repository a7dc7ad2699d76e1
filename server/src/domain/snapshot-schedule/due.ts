import { requireCron } from './cron.ts'
import { nextTime } from './next-time.ts'
import { requireTimeZone } from './local-time.ts'

/** Returns when the schedule is due next, or null when it is never due again. */
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
