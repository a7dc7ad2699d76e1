import { expect, test } from 'vitest'
import { cronFromRhythm, rhythmFromCron, rhythmWords } from './rhythm.ts'

test.each([
  ['0 * * * *', 'hourly', 'Every hour at minute 0'],
  ['45 * * * *', 'hourly', 'Every hour at minute 45'],
  ['30 2 * * *', 'daily', 'Every day at 02:30'],
  ['0 18 * * 5', 'weekly', 'Every week, Friday at 18:00'],
  ['0 18 * * 0', 'weekly', 'Every week, Sunday at 18:00'],
  ['5 0 28 * *', 'monthly', 'Every month on day 28 at 00:05'],
  ['5 0 29 * *', 'own', '5 0 29 * *'],
  ['0 0 1 * 1', 'own', '0 0 1 * 1'],
  ['0 * 1 * *', 'own', '0 * 1 * *'],
  ['0 0 * 6 *', 'own', '0 0 * 6 *'],
  ['*/15 8-18 * * mon-fri', 'own', '*/15 8-18 * * mon-fri'],
])(
  '%s is %s and reads “%s”, and a form that was not touched says the same again',
  (cron, every, words) => {
    const rhythm = rhythmFromCron(cron)
    expect(rhythm.every).toBe(every)
    expect(rhythmWords(cron)).toBe(words)
    expect(cronFromRhythm(rhythm)).toBe(cron)
  },
)
