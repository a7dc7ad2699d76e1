import { expect, test } from 'vitest'
import { cronFromRecurrence, recurrenceFromCron, recurrenceLabel } from './recurrence.ts'

test.each([
  ['0 * * * *', 'hourly', 'Every hour at minute 0'],
  ['45 * * * *', 'hourly', 'Every hour at minute 45'],
  ['30 2 * * *', 'daily', 'Every day at 02:30'],
  ['0 18 * * 5', 'weekly', 'Every week, Friday at 18:00'],
  ['0 18 * * 0', 'weekly', 'Every week, Sunday at 18:00'],
  ['5 0 28 * *', 'monthly', 'Every month on day 28 at 00:05'],
  ['5 0 29 * *', 'custom', '5 0 29 * *'],
  ['0 0 1 * 1', 'custom', '0 0 1 * 1'],
  ['0 * 1 * *', 'custom', '0 * 1 * *'],
  ['0 0 * 6 *', 'custom', '0 0 * 6 *'],
  ['*/15 8-18 * * mon-fri', 'custom', '*/15 8-18 * * mon-fri'],
])(
  'the cron expression %s is %s, reads “%s” and survives an unchanged form',
  (cron, every, label) => {
    const recurrence = recurrenceFromCron(cron)
    expect(recurrence.every).toBe(every)
    expect(recurrenceLabel(cron)).toBe(label)
    expect(cronFromRecurrence(recurrence)).toBe(cron)
  },
)
