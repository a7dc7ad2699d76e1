import { requireCron } from './cron.ts'
import { nextTime } from './next-time.ts'
import { requireTimeZone } from './wall-clock.ts'

/** When a schedule is to run next; null when never again. */
export function dueOf({
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

/** When it would run after the instant, so many times; fewer where there are no more. */
export function timesFrom(
  { cron, timeZone }: { cron: string; timeZone: string },
  afterMs: number,
  most: number,
): number[] {
  const { times } = requireCron(cron, 'cron')
  const zone = requireTimeZone(timeZone, 'timeZone')
  const found: number[] = []
  for (
    let next = nextTime(times, zone, afterMs);
    next !== null && found.length < most;
    next = nextTime(times, zone, next)
  )
    found.push(next)
  return found
}
