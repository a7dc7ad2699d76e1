import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

/*
 * Limits and answers for users who read the log of a VM: the recorded output of its serial console.
 */

/** Reasons why there is no log, or no more output at the moment. */
export const logReasons = [
  'not_kept',
  'not_supported',
  'silent',
  'starting',
  'stopped',
  'unavailable',
] as const
export type LogReason = (typeof logReasons)[number]

/** The retained bytes of each boot, and the number of retained boots. */
export const logRetention = { bytes: 256 * 1024, boots: 5 } as const

const maxLines = 5_000

export function requireTailLines(lines: number | null | undefined): number {
  if (lines === null || lines === undefined) return 200
  if (lines < 1 || lines > maxLines)
    throw invalid('tailLines', messageOf('field.from_to', { least: 1, most: maxLines }))
  return lines
}

/**
 * Validates a boot index: 0 is the current boot, or the last one of a stopped VM; -1 is the one
 * before.
 */
export function requireBoot(boot: number | null | undefined): number {
  if (boot === null || boot === undefined) return 0
  if (boot > 0 || boot < -logRetention.boots)
    throw invalid('boot', messageOf('vm.log_boot', { most: logRetention.boots }))
  return boot
}
