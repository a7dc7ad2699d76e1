import { existsSync, readFileSync } from 'node:fs'

/** One result that the reporter writes and the runner reads, as a line of JSON. */
export interface TestLine {
  readonly state: 'passed' | 'failed' | 'skipped' | 'end'
  readonly name: string
  readonly file: string
  /** The first line of a failed test's message. */
  readonly reason?: string
}

/** The counts of test results so far. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Each failed test with its file, name and message. */
  readonly failures: readonly string[]
  readonly skipped: number
  readonly finished: boolean
}

/** Counts the results in the file that the reporter writes. */
export function tallyFrom(file: string): Tally {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(isWhole) : []
  // The reporter of this repository wrote the lines. `isWhole` has removed a partly written one.
  const results = lines.map((line) => JSON.parse(line) as TestLine)
  const count = (state: TestLine['state']) => results.filter((each) => each.state === state).length
  const failures = results.filter(({ state }) => state === 'failed').map(describeFailure)
  return {
    passed: count('passed'),
    failed: failures.length,
    failures,
    skipped: count('skipped'),
    finished: count('end') > 0,
  }
}

const describeFailure = ({ file, name, reason }: TestLine): string =>
  `${file} > ${name}${reason ? `: ${reason}` : ''}`

const isWhole = (line: string): boolean => line.endsWith('}')
