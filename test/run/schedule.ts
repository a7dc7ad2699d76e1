import type { Result } from './run-step.ts'
import type { Step } from './steps.ts'

const lanes = 2

/** The functions that run a step and report on it. */
export interface Runner {
  readonly run: (step: Step) => Promise<Result>
  readonly refuse: (step: Step, trouble: string) => Result
  readonly onStart?: (step: Step) => void
  readonly onEnd?: (result: Result) => void
}

/**
 * Runs all steps in dependency order, two at a time; a lone step runs by itself. A failed step
 * stops only the steps that need it.
 */
export async function schedule(steps: readonly Step[], runner: Runner): Promise<Result[]> {
  const waiting = [...steps]
  const running = new Map<string, { step: Step; done: Promise<Result> }>()
  const results = new Map<string, Result>()
  const finish = (result: Result) => {
    running.delete(result.name)
    results.set(result.name, result)
    runner.onEnd?.(result)
  }
  while (waiting.length > 0 || running.size > 0) {
    const index = waiting.findIndex((step) => isReady(step, { waiting, running }))
    const next = index === -1 ? undefined : waiting[index]
    if (
      next &&
      hasRoom(
        next,
        [...running.values()].map(({ step }) => step),
      )
    ) {
      waiting.splice(index, 1)
      const broken = next.needs?.find((name) => (results.get(name)?.failed ?? 0) > 0)
      if (broken) finish(runner.refuse(next, `not run, because ${broken} failed`))
      else {
        runner.onStart?.(next)
        running.set(next.name, { step: next, done: runner.run(next) })
      }
    } else finish(await Promise.race([...running.values()].map(({ done }) => done)))
  }
  return steps.flatMap((step) => results.get(step.name) ?? [])
}

interface Board {
  readonly waiting: readonly Step[]
  readonly running: ReadonlyMap<string, unknown>
}

function isReady(step: Step, { waiting, running }: Board): boolean {
  const before = [...(step.after ?? []), ...(step.needs ?? [])]
  return before.every((name) => !running.has(name) && !waiting.some((other) => other.name === name))
}

function hasRoom(step: Step, running: readonly Step[]): boolean {
  if (running.some((other) => other.alone)) return false
  return running.length < (step.alone ? 1 : lanes)
}
