import { activeLocale } from '../i18n/active-locale.ts'
import { t } from '../i18n/t.ts'

/**
 * A recurrence as the fields of a form hold it. `cron` has the five cron fields when no simpler
 * choice fits.
 */
export interface Recurrence {
  every: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'custom'
  /** The minute of each hour. */
  minute: string
  /** The time of day, such as `02:30`. */
  time: string
  /** Sunday is 0. */
  weekday: string
  day: string
  cron: string
}

const nightly: Recurrence = {
  every: 'daily',
  minute: '0',
  time: '02:30',
  weekday: '1',
  day: '1',
  cron: '30 2 * * *',
}
const shapes = [
  ['hourly', /^(?<minute>\d+) \* \* \* \*$/],
  ['daily', /^(?<minute>\d+) (?<hour>\d+) \* \* \*$/],
  ['weekly', /^(?<minute>\d+) (?<hour>\d+) \* \* (?<weekday>[0-6])$/],
  // Days 29 to 31 do not exist in every month, so they are possible as a cron expression only.
  ['monthly', /^(?<minute>\d+) (?<hour>\d+) (?<day>[1-9]|1\d|2[0-8]) \* \*$/],
] as const

export function recurrenceFromCron(cron: string): Recurrence {
  for (const [every, shape] of shapes) {
    const found = shape.exec(cron)?.groups
    if (!found) continue
    const { minute = '', hour, ...day } = found
    const time =
      hour === undefined
        ? { minute }
        : { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` }
    return { ...nightly, every, cron, ...time, ...day }
  }
  return { ...nightly, every: 'custom', cron }
}

export function cronFromRecurrence({
  every,
  minute,
  time,
  weekday,
  day,
  cron,
}: Recurrence): string {
  // An empty time field must not become midnight.
  if ((every === 'hourly' ? minute.trim() : time) === '' && every !== 'custom') return ''
  const [hours = '', minutes = ''] = time.split(':')
  const clock = `${Number(minutes)} ${Number(hours)}`
  const fields = {
    hourly: `${minute.trim()} * * * *`,
    daily: `${clock} * * *`,
    weekly: `${clock} * * ${weekday}`,
  }
  return every === 'custom'
    ? cron.trim()
    : every === 'monthly'
      ? `${clock} ${day} * *`
      : fields[every]
}

/** Returns `Every day at 02:30`, or the cron expression itself when no simpler form fits. */
export function recurrenceLabel(cron: string): string {
  const { every, minute, time, weekday, day } = recurrenceFromCron(cron)
  if (every === 'custom') return cron
  if (every === 'hourly') return t('Every hour at minute {minute}', { minute })
  if (every === 'daily') return t('Every day at {time}', { time })
  if (every === 'weekly')
    return t('Every week, {weekday} at {time}', { weekday: weekdayName(Number(weekday)), time })
  return t('Every month on day {day} at {time}', { day, time })
}

/** Returns the localized name of the weekday. Sunday is 0. */
export function weekdayName(weekday: number): string {
  // 1 January 2023 was a Sunday.
  return new Intl.DateTimeFormat(activeLocale.value.tag, {
    weekday: 'long',
    timeZone: 'UTC',
  }).format(Date.UTC(2023, 0, 1 + weekday))
}
