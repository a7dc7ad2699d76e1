import { invalid } from '../../engine/model/name.ts'

/** Why there is nothing to read, or nothing more at the moment. */
export const logReasons = [
  'not_kept',
  'not_supported',
  'silent',
  'starting',
  'stopped',
  'unavailable',
] as const
export type LogReason = (typeof logReasons)[number]

/** What is kept of each run, and of how many. */
export const kept = { bytes: 256 * 1024, boots: 5 } as const

const mostLines = 5_000

export function requireTailLines(lines: number | null | undefined): number {
  if (lines === null || lines === undefined) return 200
  if (lines < 1 || lines > mostLines) throw invalid('tailLines', `must be 1 to ${mostLines}`)
  return lines
}

/** The present run, or the last one where none is, is 0; the one before it -1, and so on. */
export function requireBoot(boot: number | null | undefined): number {
  if (boot === null || boot === undefined) return 0
  if (boot > 0 || boot < -kept.boots)
    throw invalid('boot', `must be 0 for the newest, or down to -${kept.boots} for one before it`)
  return boot
}
