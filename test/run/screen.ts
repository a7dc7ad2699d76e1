import type { Result } from './run-step.ts'

/** A running step, as the live line shows it. */
export interface Running {
  readonly name: string
  readonly seconds: number
  readonly progress: string
}

/** Returns one line for a finished step and one for each failed test. */
export function resultLine(result: Result): string {
  const counts =
    result.passed + result.failed > 1 ? `  ${result.passed} passed, ${result.failed} failed` : ''
  const skipped = result.skipped > 0 ? `, ${result.skipped} skipped` : ''
  const trouble = result.trouble ? `  ${result.trouble}` : ''
  return `  ${result.failed > 0 ? 'FAIL' : 'ok  '}  ${result.name.padEnd(14)}${inSeconds(result.seconds).padStart(8)}${counts}${skipped}${trouble}${result.failures.map((failure) => `\n          ${failure}`).join('')}`
}

export function liveLine(
  running: readonly Running[],
  done: { count: number; of: number; seconds: number },
): string {
  const each = running.map(
    ({ name, seconds, progress }) => `${name} ${inSeconds(seconds)}${progress}`,
  )
  return `  ${done.count}/${done.of} done, ${inSeconds(done.seconds)}: ${each.join(' · ')}`
}

const maxLines = 300

/**
 * Returns the output of the failed steps, each under its name. Long output keeps its end, where the
 * reasons are.
 */
export function failureText(results: readonly Result[]): string {
  return results
    .filter((result) => result.failed > 0)
    .map(({ name, output, trouble }) => {
      const lines = output.trimEnd().split('\n')
      const cut =
        lines.length > maxLines
          ? [`(${lines.length - maxLines} lines before)`, ...lines.slice(-maxLines)]
          : lines
      return [
        `──── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`,
        ...(trouble ? [trouble] : []),
        ...cut,
        '',
      ].join('\n')
    })
    .join('\n')
}

export function totals(results: readonly Result[]): { passed: number; failed: number } {
  const sum = (field: 'passed' | 'failed') =>
    results.reduce((total, result) => total + result[field], 0)
  return { passed: sum('passed'), failed: sum('failed') }
}

const inSeconds = (seconds: number): string => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
