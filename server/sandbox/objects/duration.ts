const unitsMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/**
 * The milliseconds of a duration in the format of Go, such as 5m0s or 1.5h; null when it is
 * invalid.
 */
export function durationMs(text: string): number | null {
  if (/^[+-]?0$/.test(text)) return 0
  const [, sign, parts] =
    /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+)$/.exec(text) ?? []
  if (parts === undefined) return null
  const sum = [...parts.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)].reduce(
    (total, [, count, unit = '']) => total + Number(count) * (unitsMs[unit] ?? 0),
    0,
  )
  return sign === '-' ? -sum : sum
}
