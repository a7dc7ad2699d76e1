import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

// Making one costs a hundred times what asking it does.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const two = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  })
  formats.set(timeZone, format)
  return format
}

/** A time zone by its name in the IANA database, such as Europe/Lisbon. */
export function requireTimeZone(text: string, path: string): string {
  try {
    return formatOf(text.trim()).resolvedOptions().timeZone
  } catch (cause) {
    if (cause instanceof RangeError) throw invalid(path, messageOf('schedule.unknown_time_zone'))
    throw cause
  }
}

/**
 * What the clock on the wall shows at that instant, as the milliseconds of the same reading in UTC.
 */
export function wallAt(timeZone: string, instantMs: number): number {
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
