import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSelection } from './run-selection.ts'
import { killAll, linesOf, notRun, runStep, type Result, type RunContext } from './run-step.ts'
import { schedule } from './schedule.ts'
import { failureText, liveLine, resultLine, totals } from './screen.ts'
import { selectionFrom } from './selection.ts'
import { selected, steps, type Step } from './steps.ts'
import { tallyFrom } from './test-lines.ts'

// A run takes little more than half of this on two cores. Only a hanging run reaches the limit.
const limitSeconds = 50 * 60
const root = new URL('../..', import.meta.url).pathname.replace(/\/$/, '')

/** Runs the selected steps, prints their results, and ends with the line that programs parse. */
export async function main(args: readonly string[]): Promise<number> {
  const selection = selectionFrom(args)
  if (selection) return runSelection(selection, root)
  const words = wordsOf(args)
  const unknown = words.filter((word) => selected([word]).length === 0)
  if (unknown.length > 0) process.stdout.write(unknownText(unknown))
  const chosen = unknown.length > 0 ? [] : selected(words)
  const results = await runAll(chosen)
  process.stdout.write(`\n${failureText(results)}\n${results.map(resultLine).join('\n')}\n`)
  const { passed, failed } = totals(results)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  return failed > 0 || passed === 0 ? 1 : 0
}

const unknownText = (words: readonly string[]): string =>
  `No step is called ${words.join(' or ')}. Steps: ${steps.map(({ name }) => name).join(', ')}.\n`

function wordsOf(args: readonly string[]): string[] {
  const at = args.indexOf('--only')
  return at === -1 ? [] : args.slice(at + 1).flatMap((word) => word.split(','))
}

async function runAll(chosen: readonly Step[]): Promise<Result[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'berth-run-'))
  const live = Boolean(process.stdout.isTTY) && !process.env['CI']
  const began = performance.now()
  const secondsSince = (time: number) => (performance.now() - time) / 1000
  const context: RunContext = {
    root,
    scratch,
    colour: live,
    secondsLeft: () => limitSeconds - secondsSince(began),
  }
  const running = new Map<string, { step: Step; began: number }>()
  let done = 0

  const show = () => {
    const now = [...running.values()].map(({ step, began }) => ({
      name: step.name,
      seconds: secondsSince(began),
      progress: progressOf(step, context),
    }))
    const text = liveLine(now, { count: done, of: chosen.length, seconds: secondsSince(began) })
    process.stdout.write(
      live ? `\r\u001b[2K${text.slice(0, (process.stdout.columns || 80) - 1)}` : `${text}\n`,
    )
  }
  const ticking = setInterval(show, live ? 200 : 20_000)
  const stop = (signal: NodeJS.Signals) => {
    killAll()
    rmSync(scratch, { recursive: true, force: true })
    process.stdout.write(`\nstopped by ${signal}\n`)
    process.exit(130)
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    return await schedule(chosen, {
      run: (step) => runStep(step, context),
      refuse: notRun,
      onStart: (step) => running.set(step.name, { step, began: performance.now() }),
      onEnd: (result) => {
        running.delete(result.name)
        done += 1
        process.stdout.write(`${live ? '\r\u001b[2K' : ''}${resultLine(result)}\n`)
      },
    })
  } finally {
    clearInterval(ticking)
    if (live) process.stdout.write('\r\u001b[2K')
    rmSync(scratch, { recursive: true, force: true })
  }
}

function progressOf(step: Step, context: RunContext): string {
  if (step.kind === 'check') return ''
  const { passed, failed, failures } = tallyFrom(linesOf(step, context))
  // The names are printed at once. When a long run is cut off, this line may be all that is left.
  return ` (${passed} passed${failed > 0 ? `, ${failed} failed: ${failures.join('; ')}` : ''})`
}
