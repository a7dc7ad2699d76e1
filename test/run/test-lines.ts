import { existsSync, readFileSync } from 'node:fs'

/** What the reporter writes and the runner reads: one line of JSON per result. */
export interface TestLine {
  readonly state: 'passed' | 'failed' | 'skipped' | 'end'
  readonly name: string
  readonly file: string
  /** The first line of what a failed test said. */
  readonly reason?: string
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  /** Each failed test: where it stands, its name and what it said. */
  readonly failures: readonly string[]
  readonly skipped: number
  readonly finished: boolean
}

export function tallyFrom(file: string): Tally {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(isWhole) : []
  // Written by our own reporter; a line that is being written at this moment was left out above.
  const results = lines.map((line) => JSON.parse(line) as TestLine)
  const count = (state: TestLine['state']) => results.filter((each) => each.state === state).length
  const failures = results.filter(({ state }) => state === 'failed').map(sayingOf)
  return {
    passed: count('passed'),
    failed: failures.length,
    failures,
    skipped: count('skipped'),
    finished: count('end') > 0,
  }
}

const sayingOf = ({ file, name, reason }: TestLine): string =>
  `${file} > ${name}${reason ? `: ${reason}` : ''}`

const isWhole = (line: string): boolean => line.endsWith('}')
