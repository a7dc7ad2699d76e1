import { clock } from '../clock.ts'

/**
 * Runs the task soon after it was asked for, once however often it was asked, and again if asked
 * meanwhile.
 */
export class Debounced {
  #cancel: (() => void) | null = null
  readonly #delayMs: number
  readonly #task: () => void

  constructor(delayMs: number, task: () => void) {
    this.#delayMs = delayMs
    this.#task = task
  }

  ask(): void {
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
