import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

/** When something is to happen, by the clock on the wall; each set in order. */
export interface CronTimes {
  minutes: readonly number[]
  hours: readonly number[]
  days: readonly number[]
  months: readonly number[]
  /** Sunday is 0. */
  weekdays: readonly number[]
  /** In every hour: then an hour that the clock shows twice counts twice. */
  isEveryHour: boolean
  /** Where both are narrowed, one of them is enough, as cron has always had it. */
  isDayOrWeekday: boolean
}

interface Field {
  name: 'minutes' | 'hours' | 'days' | 'months' | 'weekdays'
  least: number
  most: number
  words?: readonly string[]
}

const monthWords = [
  'jan',
  'feb',
  'mar',
  'apr',
  'may',
  'jun',
  'jul',
  'aug',
  'sep',
  'oct',
  'nov',
  'dec',
] as const
const weekdayWords = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const fields = {
  minutes: { name: 'minutes', least: 0, most: 59 },
  hours: { name: 'hours', least: 0, most: 23 },
  days: { name: 'days', least: 1, most: 31 },
  months: { name: 'months', least: 1, most: 12, words: monthWords },
  // Sunday may be called 7 as well.
  weekdays: { name: 'weekdays', least: 0, most: 7, words: weekdayWords },
} as const satisfies Record<string, Field>

const longest = 200

/**
 * The five fields of cron: minute, hour, day of the month, month, day of the week; refused with the
 * field that is wrong.
 */
export function requireCron(text: string, path: string): { text: string; times: CronTimes } {
  const parts = text.trim().toLowerCase().split(/\s+/)
  const [minute, hour, day, month, weekday, ...more] = parts
  const isWhole =
    minute !== undefined &&
    hour !== undefined &&
    day !== undefined &&
    month !== undefined &&
    weekday !== undefined
  if (!isWhole || more.length > 0 || text.length > longest)
    throw invalid(path, messageOf('schedule.five_fields'))
  const days = {
    days: numbersOf(day, fields.days, path),
    weekdays: weekdaysOf(numbersOf(weekday, fields.weekdays, path)),
  }
  const times: CronTimes = {
    minutes: numbersOf(minute, fields.minutes, path),
    hours: numbersOf(hour, fields.hours, path),
    ...days,
    months: numbersOf(month, fields.months, path),
    isEveryHour: hour.startsWith('*'),
    isDayOrWeekday: !day.startsWith('*') && !weekday.startsWith('*'),
  }
  return { text: parts.join(' '), times }
}

function numbersOf(text: string, field: Field, path: string): number[] {
  const found = new Set(text.split(',').flatMap((part) => rangeOf(part, field, path)))
  return [...found].sort((one, other) => one - other)
}

const weekdaysOf = (numbers: readonly number[]): number[] =>
  [...new Set(numbers.map((number) => number % 7))].sort((one, other) => one - other)

/** One of `*`, `n`, `n-m`, each with or without a step behind it. */
function rangeOf(part: string, field: Field, path: string): number[] {
  const [, range = '', step] = /^(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
  const { from, to } = boundsOf(range, field, step !== undefined)
  const stride = Number(step ?? 1)
  const isGood = from >= field.least && to <= field.most && from <= to && stride >= 1
  if (!isGood)
    throw invalid(
      path,
      messageOf('schedule.field_range', {
        part,
        field: messageOf(`schedule.field.${field.name}`),
        least: field.least,
        most: field.most,
      }),
    )
  return Array.from(
    { length: Math.floor((to - from) / stride) + 1 },
    (_, index) => from + index * stride,
  )
}

/** A single number with a step behind it is where it begins. */
function boundsOf(range: string, field: Field, hasStep: boolean): { from: number; to: number } {
  if (range === '*') return { from: field.least, to: field.most }
  const [first = '', last] = range.split('-')
  const from = numberOf(first, field)
  if (last !== undefined) return { from, to: numberOf(last, field) }
  return { from, to: hasStep ? field.most : from }
}

/** Not a number where it is none of the field’s words either. */
function numberOf(word: string, { words, least }: Field): number {
  if (/^\d{1,2}$/.test(word)) return Number(word)
  const index = words?.indexOf(word) ?? -1
  return index < 0 ? Number.NaN : index + least
}
