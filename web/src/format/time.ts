const units = [
  { unit: 'year', ms: 31_536_000_000 },
  { unit: 'month', ms: 2_592_000_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'long' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** `2 minutes ago`; anything under ten seconds is `just now`, because a console's clock and the server's differ. */
export function relativeTime(at: string, nowMs: number): string {
  const distanceMs = Date.parse(at) - nowMs
  const sizeMs = Math.abs(distanceMs)
  if (sizeMs < 10_000) return 'just now'
  for (const { unit, ms } of units) {
    if (sizeMs >= ms) return relative.format(Math.trunc(distanceMs / ms), unit)
  }
  return relative.format(Math.trunc(distanceMs / 1000), 'second')
}

export function exactTime(at: string): string {
  return exact.format(Date.parse(at))
}

/** `850 ms`, `12 s`, `3 min 20 s`: the two largest units that say something. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export function clockTime(ms: number): string {
  return new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }).format(ms)
}
