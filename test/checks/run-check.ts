import { excuse, exceptionsOf } from './exceptions.ts'
import { line, type Finding } from './finding.ts'

/** The root folder of the repository. */
export const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/**
 * Prints the findings that the exception list does not excuse, and sets the exit code. Every check
 * program ends with it.
 */
export function conclude(check: string, findings: readonly Finding[]): void {
  const left = excuse(findings, exceptionsOf(root, check), check)
  for (const finding of left) process.stdout.write(`${line(finding)}\n`)
  process.stdout.write(
    left.length === 0 ? `${check}: nothing found\n` : `${check}: ${left.length} found\n`,
  )
  process.exitCode = left.length === 0 ? 0 : 1
}
