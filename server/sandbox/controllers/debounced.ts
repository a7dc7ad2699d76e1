import { clock } from '../clock.ts'

/**
 * Runs the task once, some time after the first trigger. A trigger during the run schedules another
 * run.
 */
export class Debounced {
  #cancel: (() => void) | null = null
  readonly #delayMs: number
  readonly #task: () => void

  constructor(delayMs: number, task: () => void) {
    this.#delayMs = delayMs
    this.#task = task
  }

  trigger(): void {
    this.#cancel ??= clock.after(this.#delayMs, () => {
      this.#cancel = null
      this.#task()
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }
}
