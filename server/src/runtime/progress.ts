import type { Clock } from './clock.ts'

/** What a person sees while Berth starts: one line per step, with its seconds. */
export interface Progress {
  step<T>(what: string, task: () => Promise<T>): Promise<T>
}

interface Screen {
  write(text: string): void
  /** A terminal shows a step when it begins; a file gets whole lines only. */
  isTerminal: boolean
}

export function createProgress(screen: Screen, clock: Clock): Progress {
  let open: string | null = null
  const begin = (what: string): void => {
    if (!screen.isTerminal) return
    if (open !== null) screen.write('\n')
    screen.write(`${what} …`)
    open = what
  }
  const finish = (what: string, outcome: string): void => {
    if (open === what) screen.write(` ${outcome}\n`)
    else screen.write(`${open === null ? '' : '\n'}${what} … ${outcome}\n`)
    open = null
  }
  return {
    async step(what, task) {
      const started = clock.elapsedMs()
      begin(what)
      try {
        const result = await task()
        finish(what, `${((clock.elapsedMs() - started) / 1000).toFixed(1)} s`)
        return result
      } catch (error) {
        finish(what, 'failed')
        throw error
      }
    },
  }
}
