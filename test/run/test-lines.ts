import { existsSync, readFileSync } from 'node:fs'

/** What the reporter writes and the runner reads: one line of JSON per result. */
export interface TestLine {
  readonly state: 'passed' | 'failed' | 'skipped' | 'end'
  readonly name: string
  readonly file: string
}

export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly finished: boolean
}

export function tallyFrom(file: string): Tally {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(isWhole) : []
  // Written by our own reporter; a line that is being written at this moment was left out above.
  const states = lines.map((line) => (JSON.parse(line) as TestLine).state)
  const count = (state: TestLine['state']) => states.filter((each) => each === state).length
  return { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), finished: states.includes('end') }
}

const isWhole = (line: string): boolean => line.endsWith('}')
