import { inspect } from 'node:util'

const redacted = '[redacted]'

/**
 * A value that must never be printed: logs, JSON, templates and inspectors all see `[redacted]`.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The only way to the value; call it where it is used, never to store it. */
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
