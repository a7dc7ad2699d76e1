import { spoken } from '../words/spoken.ts'
import { t } from '../words/t.ts'

/**
 * How often something happens, as a form holds it: what people say, and the five fields of cron for
 * what they cannot say so.
 */
export interface Rhythm {
  every: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'own'
  /** Past each hour. */
  minute: string
  /** `02:30`. */
  time: string
  /** Sunday is 0. */
  weekday: string
  day: string
  cron: string
}

const nightly: Rhythm = {
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
  // A day that not every month has is left to those who know what they do.
  ['monthly', /^(?<minute>\d+) (?<hour>\d+) (?<day>[1-9]|1\d|2[0-8]) \* \*$/],
] as const

export function rhythmFromCron(cron: string): Rhythm {
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
  return { ...nightly, every: 'own', cron }
}

export function cronFromRhythm({ every, minute, time, weekday, day, cron }: Rhythm): string {
  // A field that was emptied says nothing, not midnight.
  if ((every === 'hourly' ? minute.trim() : time) === '' && every !== 'own') return ''
  const [hours = '', minutes = ''] = time.split(':')
  const clock = `${Number(minutes)} ${Number(hours)}`
  const fields = {
    hourly: `${minute.trim()} * * * *`,
    daily: `${clock} * * *`,
    weekly: `${clock} * * ${weekday}`,
  }
  return every === 'own' ? cron.trim() : every === 'monthly' ? `${clock} ${day} * *` : fields[every]
}

/** `Every day at 02:30`; what has no such words is told as it is. */
export function rhythmWords(cron: string): string {
  const { every, minute, time, weekday, day } = rhythmFromCron(cron)
  if (every === 'own') return cron
  if (every === 'hourly') return t('Every hour at minute {minute}', { minute })
  if (every === 'daily') return t('Every day at {time}', { time })
  if (every === 'weekly')
    return t('Every week, {weekday} at {time}', { weekday: weekdayName(Number(weekday)), time })
  return t('Every month on day {day} at {time}', { day, time })
}

/** Sunday is 0. */
export function weekdayName(weekday: number): string {
  // The first of these days was a Sunday.
  return new Intl.DateTimeFormat(spoken.value.locale, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2023, 0, 1 + weekday),
  )
}
