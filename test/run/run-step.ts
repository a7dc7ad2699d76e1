import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Step } from './steps.ts'
import { tallyFrom } from './test-lines.ts'

export interface Result {
  readonly name: string
  readonly passed: number
  readonly failed: number
  /** The tests among them, each with its place and what it said. */
  readonly failures: readonly string[]
  readonly skipped: number
  readonly seconds: number
  /** What went wrong beside the tests themselves; empty when nothing did. */
  readonly trouble: string
  readonly output: string
}

export interface Surroundings {
  readonly root: string
  /** A folder of this run for what steps leave behind. */
  readonly scratch: string
  readonly secondsLeft: () => number
  readonly colour: boolean
}

const running = new Set<ChildProcess>()

/** Ends what still runs, with all it has started. */
export function killAll(): void {
  for (const child of running) killGroup(child)
}

export async function runStep(step: Step, around: Surroundings): Promise<Result> {
  const began = performance.now()
  const { code, output } = await ended(step, around)
  const seconds = (performance.now() - began) / 1000
  return { name: step.name, seconds, output, ...outcome(step, code, around) }
}

/** A step that never ran, because what it needs is broken. */
export function notRun(step: Step, trouble: string): Result {
  return {
    name: step.name,
    passed: 0,
    failed: 1,
    failures: [],
    skipped: 0,
    seconds: 0,
    trouble,
    output: '',
  }
}

export const linesOf = (step: Step, around: Pick<Surroundings, 'scratch'>): string =>
  join(around.scratch, `${step.name.replace(' ', '-')}.jsonl`)

type Exit = number | 'too long'

type Outcome = Pick<Result, 'passed' | 'failed' | 'failures' | 'skipped' | 'trouble'>

function outcome(step: Step, code: Exit, around: Surroundings): Outcome {
  const trouble = code === 'too long' ? `was stopped after its limit` : ''
  if (step.kind === 'check')
    return {
      passed: code === 0 ? 1 : 0,
      failed: code === 0 ? 0 : 1,
      failures: [],
      skipped: 0,
      trouble,
    }
  const { finished, ...tally } = tallyFrom(linesOf(step, around))
  if (finished && (code === 0 || tally.failed > 0)) return { ...tally, trouble }
  // Whatever the tests said, a run that did not come to its end proves nothing about the rest.
  return {
    ...tally,
    failed: tally.failed + 1,
    trouble: trouble || `did not come to its end (exit ${code})`,
  }
}

function ended(step: Step, around: Surroundings): Promise<{ code: Exit; output: string }> {
  const child = start(step, around)
  const limit = Math.min(step.limitSeconds, Math.max(1, around.secondsLeft()))
  let output = ''
  let late = false
  const timer = setTimeout(() => {
    late = true
    killGroup(child)
  }, limit * 1000)
  const keep = (chunk: Buffer) => (output += chunk.toString())
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return new Promise((resolve) => {
    const finish = (code: number) => {
      clearTimeout(timer)
      running.delete(child)
      resolve({ code: late ? 'too long' : code, output })
    }
    child.on('error', (error) => {
      output += error.message
      finish(1)
    })
    child.on('close', (code) => finish(code ?? 1))
  })
}

function start(step: Step, around: Surroundings): ChildProcess {
  const colour = around.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }
  const child = spawn(process.execPath, step.run, {
    cwd: around.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that browsers and databases of a stopped step go with it.
    detached: true,
    env: { ...process.env, ...colour, BERTH_TEST_LINES: linesOf(step, around) },
  })
  running.add(child)
  return child
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended by itself in this moment.
  }
}
