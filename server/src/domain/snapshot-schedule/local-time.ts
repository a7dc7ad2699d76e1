import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

// A formatter costs a hundred times as much to create as to use.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const cached = formats.get(timeZone)
  if (cached) return cached
  const twoDigits = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: twoDigits,
    day: twoDigits,
    hour: twoDigits,
    minute: twoDigits,
    second: twoDigits,
  })
  formats.set(timeZone, format)
  return format
}

/** Validates a time zone by its IANA name, such as Europe/Lisbon. */
export function requireTimeZone(text: string, path: string): string {
  try {
    return formatOf(text.trim()).resolvedOptions().timeZone
  } catch (cause) {
    if (cause instanceof RangeError) throw invalid(path, messageOf('schedule.unknown_time_zone'))
    throw cause
  }
}

/** Returns the local time at the instant, as the milliseconds of the same date and time in UTC. */
export function localTimeAt(timeZone: string, instantMs: number): number {
  const parts = formatOf(timeZone).formatToParts(instantMs)
  const read = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(
    read('year'),
    read('month') - 1,
    read('day'),
    read('hour'),
    read('minute'),
    read('second'),
  )
}
