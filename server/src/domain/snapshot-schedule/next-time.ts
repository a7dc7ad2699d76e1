import { type CronTimes } from './cron.ts'
import { wallAt } from './wall-clock.ts'

/*
 * The next time by the clock on the wall, where that is put forward and back. A time that the clock
 * leaps over comes as much later as it leaps; one that it shows twice comes the first time only,
 * unless it is of every hour. A day is worked out with one or two offsets from UTC: no zone has
 * changed its own more than once in a day.
 */
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
// The 29th of February stays away for eight years around 2100.
const farthestDays = 9 * 366

/** The first time after the instant; null when there is none, such as on the 30th of February. */
export function nextTime(times: CronTimes, timeZone: string, afterMs: number): number | null {
  const today = Math.floor(wallAt(timeZone, afterMs) / dayMs) * dayMs
  // The reading of yesterday may come after that of today where a clock is put back over midnight.
  for (let day = -1; day < farthestDays; day++) {
    const midnight = today + day * dayMs
    if (!isDayOf(times, midnight)) continue
    const next = firstOn({ times, timeZone, midnight }, afterMs)
    if (next !== null) return next
  }
  return null
}

function isDayOf({ days, months, weekdays, isDayOrWeekday }: CronTimes, midnight: number): boolean {
  const date = new Date(midnight)
  if (!months.includes(date.getUTCMonth() + 1)) return false
  const isDay = days.includes(date.getUTCDate())
  const isWeekday = weekdays.includes(date.getUTCDay())
  return isDayOrWeekday ? isDay || isWeekday : isDay && isWeekday
}

interface Day {
  times: CronTimes
  timeZone: string
  midnight: number
}

function firstOn({ times, timeZone, midnight }: Day, afterMs: number): number | null {
  const offsetAt = (instantMs: number): number => wallAt(timeZone, instantMs) - instantMs
  // Zones are from 12 hours behind UTC to 14 before it.
  const [before, behind] = [
    offsetAt(midnight - 14 * hourMs),
    offsetAt(midnight + dayMs + 12 * hourMs),
  ]
  const isPlain = before === behind
  const readings = times.hours.flatMap((hour) =>
    times.minutes.map((minute) => midnight + hour * hourMs + minute * minuteMs),
  )
  const instants = readings.flatMap((reading) => {
    if (isPlain) return [reading - before]
    const shown = [reading - before, reading - behind].filter(
      (instant) => wallAt(timeZone, instant) === reading,
    )
    if (shown.length === 0) return [reading - before]
    return times.isEveryHour ? shown : [Math.min(...shown)]
  })
  return instants.reduce<number | null>(
    (least, at) => (at > afterMs && (least === null || at < least) ? at : least),
    null,
  )
}
