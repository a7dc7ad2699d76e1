import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

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
  if (lines < 1 || lines > mostLines)
    throw invalid('tailLines', messageOf('vm.log_lines', { most: mostLines }))
  return lines
}

/** The present run, or the last one where none is, is 0; the one before it -1, and so on. */
export function requireBoot(boot: number | null | undefined): number {
  if (boot === null || boot === undefined) return 0
  if (boot > 0 || boot < -kept.boots)
    throw invalid('boot', messageOf('vm.log_boot', { most: kept.boots }))
  return boot
}
