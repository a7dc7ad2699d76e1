import { requireCron } from './cron.ts'
import { nextTime } from './next-time.ts'

/** When a schedule is to run next; null when never again. */
export function dueOf({ cron, timeZone, timedFrom }: { cron: string; timeZone: string; timedFrom: string }): number | null {
  return nextTime(requireCron(cron, 'cron').times, timeZone, Date.parse(timedFrom))
}
