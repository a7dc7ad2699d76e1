import { clock } from '../../clock.ts'

/**
 * Formats the time since a timestamp as kubectl does: two units while the first is small, otherwise
 * one.
 */
export function age(time: string): string {
  const ms = clock.nowMs() - Date.parse(time)
  return Number.isNaN(ms) ? '<unknown>' : duration(ms)
}

export function duration(ms: number): string {
  const seconds = Math.trunc(ms / 1000)
  if (seconds < -1) return '<invalid>'
  if (seconds < 120) return `${Math.max(0, seconds)}s`
  const minutes = Math.trunc(seconds / 60)
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's')
  if (minutes < 180) return `${minutes}m`
  return longDuration(Math.trunc(minutes / 60), minutes)
}

function longDuration(hours: number, minutes: number): string {
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm')
  if (hours < 48) return `${hours}h`
  const days = Math.trunc(hours / 24)
  if (hours < 24 * 8) return two(days, 'd', hours % 24, 'h')
  if (days < 365 * 2) return `${days}d`
  return days < 365 * 8
    ? two(Math.trunc(days / 365), 'y', days % 365, 'd')
    : `${Math.trunc(days / 365)}y`
}

// The rest parameter avoids four positional parameters: a value and a unit, twice.
const two = (...[large, largeUnit, small, smallUnit]: [number, string, number, string]): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`
