import { computed } from 'vue'
import { spoken } from '../words/spoken.ts'
import { t } from '../words/t.ts'

const units = [
  { unit: 'year', ms: 31_536_000_000 },
  { unit: 'month', ms: 2_592_000_000 },
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const

const relative = computed(() => new Intl.RelativeTimeFormat(spoken.value.locale, { numeric: 'always', style: 'long' }))
const exact = computed(() => new Intl.DateTimeFormat(spoken.value.locale, { dateStyle: 'medium', timeStyle: 'medium' }))
const clock = computed(() => new Intl.DateTimeFormat(spoken.value.locale, { timeStyle: 'short' }))

/** `2 minutes ago`; anything under ten seconds is `just now`, because a console's clock and the server's differ. */
export function relativeTime(at: string, nowMs: number): string {
  const distanceMs = Date.parse(at) - nowMs
  const sizeMs = Math.abs(distanceMs)
  if (sizeMs < 10_000) return t('just now')
  for (const { unit, ms } of units) {
    if (sizeMs >= ms) return relative.value.format(Math.trunc(distanceMs / ms), unit)
  }
  return relative.value.format(Math.trunc(distanceMs / 1000), 'second')
}

export function exactTime(at: string): string {
  return exact.value.format(Date.parse(at))
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
  return clock.value.format(ms)
}
