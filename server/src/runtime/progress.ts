import type { Clock } from './clock.ts'

/** Shows progress while Berth starts: one line per step, with its seconds. */
export interface Progress {
  step<T>(title: string, task: () => Promise<T>): Promise<T>
}

interface Screen {
  write(text: string): void
  /** A terminal shows a step when it begins; a file gets whole lines only. */
  isTerminal: boolean
}

export function createProgress(screen: Screen, clock: Clock): Progress {
  let open: string | null = null
  const begin = (title: string): void => {
    if (!screen.isTerminal) return
    if (open !== null) screen.write('\n')
    screen.write(`${title} …`)
    open = title
  }
  const finish = (title: string, outcome: string): void => {
    if (open === title) screen.write(` ${outcome}\n`)
    else screen.write(`${open === null ? '' : '\n'}${title} … ${outcome}\n`)
    open = null
  }
  return {
    async step(title, task) {
      const started = clock.elapsedMs()
      begin(title)
      try {
        const result = await task()
        finish(title, `${((clock.elapsedMs() - started) / 1000).toFixed(1)} s`)
        return result
      } catch (error) {
        finish(title, 'failed')
        throw error
      }
    },
  }
}
