import { inspect } from 'node:util'

const redacted = '[redacted]'

/** A value that must never be printed. Logs, JSON, templates and inspectors see `[redacted]`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Returns the value. Call it where the value is used, never to store it. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [inspect.custom](): string {
    return redacted
  }
}
