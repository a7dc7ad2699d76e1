import { invalid } from '../../engine/model/name.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** The local times at which a schedule is due; each list is sorted. */
export interface CronTimes {
  minutes: readonly number[]
  hours: readonly number[]
  days: readonly number[]
  months: readonly number[]
  /** Sunday is 0. */
  weekdays: readonly number[]
  /** True when the hour field begins with `*`. The hour that clocks repeat is then due twice. */
  repeatsWithClock: boolean
  /** True when neither days nor weekdays begin with `*`. One match is then enough, as in cron. */
  isDayOrWeekday: boolean
}

interface Field {
  name: 'minutes' | 'hours' | 'days' | 'months' | 'weekdays'
  min: number
  max: number
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
  minutes: { name: 'minutes', min: 0, max: 59 },
  hours: { name: 'hours', min: 0, max: 23 },
  days: { name: 'days', min: 1, max: 31 },
  months: { name: 'months', min: 1, max: 12, words: monthWords },
  // Cron allows 7 for Sunday too.
  weekdays: { name: 'weekdays', min: 0, max: 7, words: weekdayWords },
} as const satisfies Record<string, Field>

const maxLength = 200

/**
 * Parses the five fields of cron: minute, hour, day of month, month and weekday. Refuses a text
 * without five fields, and names the field that is wrong.
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
  if (text.length > maxLength)
    throw invalid(path, messageOf('field.at_most_characters', { most: maxLength }))
  if (!isWhole || more.length > 0) throw invalid(path, messageOf('schedule.five_fields'))
  const days = {
    days: numbersOf(day, fields.days, path),
    weekdays: weekdaysOf(numbersOf(weekday, fields.weekdays, path)),
  }
  const times: CronTimes = {
    minutes: numbersOf(minute, fields.minutes, path),
    hours: numbersOf(hour, fields.hours, path),
    ...days,
    months: numbersOf(month, fields.months, path),
    repeatsWithClock: hour.startsWith('*'),
    isDayOrWeekday: !day.startsWith('*') && !weekday.startsWith('*'),
  }
  return { text: parts.join(' '), times }
}

function numbersOf(text: string, field: Field, path: string): number[] {
  const numbers = new Set(text.split(',').flatMap((part) => rangeOf(part, field, path)))
  return [...numbers].sort((one, other) => one - other)
}

const weekdaysOf = (numbers: readonly number[]): number[] =>
  [...new Set(numbers.map((weekday) => weekday % 7))].sort((one, other) => one - other)

/** Parses `*`, `n` or `n-m`, each with an optional step. */
function rangeOf(part: string, field: Field, path: string): number[] {
  const [, range = '', step] = /^(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
  const { from, to } = boundsOf(range, field, step !== undefined)
  const stride = Number(step ?? 1)
  const isGood = from >= field.min && to <= field.max && from <= to && stride >= 1
  if (!isGood) throw invalid(path, rangeRefusal(part, field))
  return Array.from(
    { length: Math.floor((to - from) / stride) + 1 },
    (_, index) => from + index * stride,
  )
}

function rangeRefusal(part: string, { name, min: least, max: most, words }: Field): Message {
  const params = { part, field: messageOf(`schedule.field.${name}`), least, most }
  const [word] = words ?? []
  if (word === undefined) return messageOf('schedule.field_range', params)
  return name === 'weekdays'
    ? messageOf('schedule.weekday_range', { ...params, word })
    : messageOf('schedule.field_range_or_word', { ...params, word })
}

/** Returns the bounds of a range. A single number with a step runs to the end of the field. */
function boundsOf(range: string, field: Field, hasStep: boolean): { from: number; to: number } {
  if (range === '*') return { from: field.min, to: field.max }
  const [first = '', last] = range.split('-')
  const from = numberOf(first, field)
  if (last !== undefined) return { from, to: numberOf(last, field) }
  return { from, to: hasStep ? field.max : from }
}

/** Returns NaN for text that is neither a number nor a word of the field. */
function numberOf(word: string, { words, min }: Field): number {
  if (/^\d{1,2}$/.test(word)) return Number(word)
  const index = words?.indexOf(word) ?? -1
  return index < 0 ? Number.NaN : index + min
}
