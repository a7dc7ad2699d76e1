import { computed } from 'vue'
import { activeLocale } from '../i18n/active-locale.ts'
import { t } from '../i18n/t.ts'

const units = [
  { ms: 31_536_000_000, ago: '{n} year ago | {n} years ago', ahead: 'in {n} year | in {n} years' },
  {
    ms: 2_592_000_000,
    ago: '{n} month ago | {n} months ago',
    ahead: 'in {n} month | in {n} months',
  },
  { ms: 86_400_000, ago: '{n} day ago | {n} days ago', ahead: 'in {n} day | in {n} days' },
  { ms: 3_600_000, ago: '{n} hour ago | {n} hours ago', ahead: 'in {n} hour | in {n} hours' },
  { ms: 60_000, ago: '{n} minute ago | {n} minutes ago', ahead: 'in {n} minute | in {n} minutes' },
  { ms: 1000, ago: '{n} second ago | {n} seconds ago', ahead: 'in {n} second | in {n} seconds' },
] as const

const exact = computed(
  () =>
    new Intl.DateTimeFormat(activeLocale.value.tag, { dateStyle: 'medium', timeStyle: 'medium' }),
)
const clock = computed(
  () => new Intl.DateTimeFormat(activeLocale.value.tag, { timeStyle: 'short' }),
)

/**
 * Returns `2 minutes ago`. Anything under ten seconds is `just now`, because the clocks of browser
 * and server differ.
 */
export function relativeTime(at: string, nowMs: number): string {
  const distanceMs = Date.parse(at) - nowMs
  const sizeMs = Math.abs(distanceMs)
  const unit = sizeMs < 10_000 ? undefined : units.find(({ ms }) => sizeMs >= ms)
  return unit
    ? t(distanceMs < 0 ? unit.ago : unit.ahead, { n: Math.trunc(sizeMs / unit.ms) })
    : t('just now')
}

/** Formats a date and a time, such as `22 Nov 2026, 14:05:00`. */
export function exactTime(at: string): string {
  return exact.value.format(Date.parse(at))
}

/** Formats a duration with its two largest units: `850 ms`, `12 s`, `3 min 20 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  const hours = Math.floor(minutes / 60)
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Formats the time of day, such as `14:05`. */
export function clockTime(ms: number): string {
  return clock.value.format(ms)
}
