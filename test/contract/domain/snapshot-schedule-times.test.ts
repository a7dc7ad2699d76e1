import { describe, expect, test } from 'vitest'
import { requireCron } from '../../../server/src/domain/snapshot-schedule/cron.ts'
import { nextTime } from '../../../server/src/domain/snapshot-schedule/next-time.ts'
import { requireTimeZone } from '../../../server/src/domain/snapshot-schedule/local-time.ts'
import { fc } from '../../support/property-testing.ts'

const nextOf = (cron: string, timeZone: string, after: string): string | null => {
  const next = nextTime(requireCron(cron, 'cron').times, timeZone, Date.parse(after))
  return next === null ? null : new Date(next).toISOString().replace(':00.000Z', 'Z')
}

describe('the next time of a schedule', () => {
  test.each([
    ['30 2 * * *', 'UTC', '2026-11-22T01:00Z', '2026-11-22T02:30Z', 'the next time is later today'],
    [
      '30 2 * * *',
      'UTC',
      '2026-11-22T02:30Z',
      '2026-11-23T02:30Z',
      'the current minute is excluded',
    ],
    [
      '*/15 * * * *',
      'UTC',
      '2026-11-22T23:46Z',
      '2026-11-23T00:00Z',
      'the next time is past midnight',
    ],
    ['0 0 29 2 *', 'UTC', '2097-01-01T00:00Z', '2104-02-29T00:00Z', '2100 is not a leap year'],
    [
      '0 0 13 * fri',
      'UTC',
      '2026-11-10T00:00Z',
      '2026-11-13T00:00Z',
      'a day of the month or a weekday is enough when both are set',
    ],
    ['0 0 13 * fri', 'UTC', '2026-11-13T00:00Z', '2026-11-20T00:00Z', 'the next Friday matches'],
    ['0 0 * * 7', 'UTC', '2026-11-22T00:00Z', '2026-11-29T00:00Z', '7 is Sunday too'],
    [
      '0 8-18/5 * jan-mar mon,wed',
      'UTC',
      '2026-01-05T13:00Z',
      '2026-01-05T18:00Z',
      'a range can have a step',
    ],
    ['0 0 30 2 *', 'UTC', '2026-01-01T00:00Z', null, 'the day never comes'],
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-29T01:30Z',
      'a skipped time moves by the length of the clock change',
    ],
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-25T00:30Z',
      'a repeated time runs at its first occurrence',
    ],
    [
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
      'a repeated time does not run at its second occurrence',
    ],
    [
      '30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:30Z',
      '2026-10-25T01:30Z',
      'an hourly schedule runs in both repeated hours',
    ],
    [
      '0 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T12:00Z',
      '2026-10-03T15:30Z',
      'the clock skips half an hour',
    ],
    [
      '0 0 * * *',
      'Africa/Cairo',
      '2026-04-23T12:00Z',
      '2026-04-23T22:00Z',
      'the clock skips midnight',
    ],
  ])('the next time of %s in %s after %s is %s: %s', (...[cron, timeZone, after, next]) => {
    expect(nextOf(cron, timeZone, after)).toBe(next)
  })

  /**
   * The model walks minute by minute around clock changes and uses only the fields of the schedule.
   */
  const minuteMs = 60_000
  const changes = [
    ['Europe/Berlin', '2026-03-29T01:00Z'],
    ['Europe/Berlin', '2026-10-25T01:00Z'],
    ['America/New_York', '2026-03-08T07:00Z'],
    ['America/New_York', '2026-11-01T06:00Z'],
    ['America/Havana', '2026-03-08T05:00Z'],
    ['America/Havana', '2026-11-01T05:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
    ['Asia/Kathmandu', '2026-06-01T00:00Z'],
  ] as const

  function byHand({ minutes, hours, isEveryHour, from, timeZone }: ModelInput): number | null {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    })
    const shownBefore = new Set<number>()
    let last = Date.parse(`${format.format(from - 240 * minuteMs)}Z`)
    for (let at = from - 239 * minuteMs; at < from + 1_500 * minuteMs; at += minuteMs) {
      const shown = Date.parse(`${format.format(at)}Z`)
      // A skipped time runs after the clock change, minute by minute.
      const leapt =
        shown - last > minuteMs
          ? { at, first: last + minuteMs, length: shown - last - minuteMs }
          : null
      if (leapt) leaps.push(leapt)
      const lost = leaps
        .filter((leap) => at - leap.at < leap.length)
        .map((leap) => leap.first + at - leap.at)
      const counts = (reading: number): boolean => {
        const date = new Date(reading)
        return minutes.includes(date.getUTCMinutes()) && hours.includes(date.getUTCHours())
      }
      if (
        at > from &&
        ((counts(shown) && (isEveryHour || !shownBefore.has(shown))) || lost.some(counts))
      )
        return at
      shownBefore.add(shown)
      last = shown
    }
    return null
  }

  interface ModelInput {
    minutes: number[]
    hours: number[]
    isEveryHour: boolean
    from: number
    timeZone: string
  }
  const leaps: { at: number; first: number; length: number }[] = []

  test('the next time equals the first match on the wall clock around every clock change', () => {
    const some = (most: number) =>
      fc.uniqueArray(fc.integer({ min: 0, max: most }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        fc.constantFrom(...changes),
        some(59),
        some(23),
        fc.boolean(),
        fc.integer({ min: -300, max: 300 }),
        (...[[timeZone, change], minutes, someHours, isEveryHour, shift]) => {
          const from = Date.parse(change) + shift * minuteMs
          const hours = isEveryHour ? Array.from({ length: 24 }, (_, hour) => hour) : someHours
          const { times } = requireCron(
            `${minutes.join(',')} ${isEveryHour ? '*' : hours.join(',')} * * *`,
            'cron',
          )
          leaps.length = 0
          expect(nextTime(times, timeZone, from)).toBe(
            byHand({ minutes, hours, isEveryHour, from, timeZone }),
          )
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('cron fields and time zones', () => {
  test.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '5-3 * * * *',
    '1,,2 * * * *',
    'mon * * * *',
    '1-2-3 * * * *',
    '@daily',
    '-1 * * * *',
  ])('an invalid cron expression is refused: %s', (text) => {
    expect(() => requireCron(text, 'cron')).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })

  test('a cron expression is normalized in spacing and letter case', () => {
    expect(requireCron('  0 6-8/2  1,15 JAN  Mon ', 'cron')).toMatchObject({
      text: '0 6-8/2 1,15 jan mon',
      times: {
        minutes: [0],
        hours: [6, 8],
        days: [1, 15],
        months: [1],
        weekdays: [1],
        isDayOrWeekday: true,
      },
    })
  })

  test('a time zone must exist and is normalized in letter case', () => {
    expect(requireTimeZone(' europe/lisbon', 'timeZone')).toBe('Europe/Lisbon')
    expect(() => requireTimeZone('Europe/Atlantis', 'timeZone')).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })
})
