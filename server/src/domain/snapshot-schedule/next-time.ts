import { type CronTimes } from './cron.ts'
import { localTimeAt } from './local-time.ts'

/*
 * Computes due times in local time across clock changes. A time that the clock skips is due as much
 * later as it skips. A time that occurs twice is due the first time only, unless the schedule runs
 * in every hour. One or two UTC offsets are enough for a day: no zone has changed its offset more
 * than once in a day.
 */
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
// There is no 29th of February for eight years around 2100.
const maxDaysAhead = 9 * 366

/**
 * Returns the first due time after the instant. Null when there is none, such as on the 30th of
 * February.
 */
export function nextTime(times: CronTimes, timeZone: string, afterMs: number): number | null {
  const today = Math.floor(localTimeAt(timeZone, afterMs) / dayMs) * dayMs
  // A due time of yesterday may come after one of today when a clock is set back over midnight.
  for (let day = -1; day < maxDaysAhead; day++) {
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
  const offsetAt = (instantMs: number): number => localTimeAt(timeZone, instantMs) - instantMs
  // UTC offsets range from -12 to +14 hours.
  const [offsetBefore, offsetAfter] = [
    offsetAt(midnight - 14 * hourMs),
    offsetAt(midnight + dayMs + 12 * hourMs),
  ]
  const hasOneOffset = offsetBefore === offsetAfter
  const localTimes = times.hours.flatMap((hour) =>
    times.minutes.map((minute) => midnight + hour * hourMs + minute * minuteMs),
  )
  const instants = localTimes.flatMap((localTime) => {
    if (hasOneOffset) return [localTime - offsetBefore]
    const instantsOfLocalTime = [localTime - offsetBefore, localTime - offsetAfter].filter(
      (instant) => localTimeAt(timeZone, instant) === localTime,
    )
    if (instantsOfLocalTime.length === 0) return [localTime - offsetBefore]
    return times.repeatsWithClock ? instantsOfLocalTime : [Math.min(...instantsOfLocalTime)]
  })
  return instants.reduce<number | null>(
    (earliest, at) => (at > afterMs && (earliest === null || at < earliest) ? at : earliest),
    null,
  )
}
