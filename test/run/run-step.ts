import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Step } from './steps.ts'
import { tallyFrom } from './test-lines.ts'

/** The result of a step of `npm test`. */
export interface Result {
  readonly name: string
  readonly passed: number
  readonly failed: number
  /** Each failed test with its file and message. */
  readonly failures: readonly string[]
  readonly skipped: number
  readonly seconds: number
  /** A problem apart from failed tests; empty when there is none. */
  readonly trouble: string
  readonly output: string
}

/** The folders and the remaining time of a run of `npm test`. */
export interface RunContext {
  readonly root: string
  /** A temporary folder of this run for the files of its steps. */
  readonly scratch: string
  readonly secondsLeft: () => number
  readonly colour: boolean
}

const running = new Set<ChildProcess>()

/** Kills the running steps with all processes that they started. */
export function killAll(): void {
  for (const child of running) killGroup(child)
}

/** Runs a step as a separate process and returns its result. */
export async function runStep(step: Step, context: RunContext): Promise<Result> {
  const began = performance.now()
  const { code, output } = await ended(step, context)
  const seconds = (performance.now() - began) / 1000
  return { name: step.name, seconds, output, ...outcome(step, code, context) }
}

/** Returns the result of a step that did not run, because a step that it needs has failed. */
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

/** Returns the file into which the reporter of a test step writes its results. */
export const linesOf = (step: Step, context: Pick<RunContext, 'scratch'>): string =>
  join(context.scratch, `${step.name.replace(' ', '-')}.jsonl`)

type Exit = number | 'too long'

type Outcome = Pick<Result, 'passed' | 'failed' | 'failures' | 'skipped' | 'trouble'>

function outcome(step: Step, code: Exit, context: RunContext): Outcome {
  const trouble = code === 'too long' ? `was stopped at its time limit` : ''
  if (step.kind === 'check')
    return {
      passed: code === 0 ? 1 : 0,
      failed: code === 0 ? 0 : 1,
      failures: [],
      skipped: 0,
      trouble,
    }
  const { finished, ...tally } = tallyFrom(linesOf(step, context))
  if (finished && (code === 0 || tally.failed > 0)) return { ...tally, trouble }
  // A run that did not finish proves nothing about its remaining tests.
  return {
    ...tally,
    failed: tally.failed + 1,
    trouble: trouble || `did not finish (exit ${code})`,
  }
}

function ended(step: Step, context: RunContext): Promise<{ code: Exit; output: string }> {
  const child = start(step, context)
  const limit = Math.min(step.limitSeconds, Math.max(1, context.secondsLeft()))
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

function start(step: Step, context: RunContext): ChildProcess {
  const colour = context.colour ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', FORCE_COLOR: undefined }
  const child = spawn(process.execPath, step.run, {
    cwd: context.root,
    stdio: ['ignore', 'pipe', 'pipe'],
    // The step gets its own process group, so that browsers and databases of a stopped step die
    // with it.
    detached: true,
    env: { ...process.env, ...colour, BERTH_TEST_LINES: linesOf(step, context) },
  })
  running.add(child)
  return child
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process has just ended by itself.
  }
}
