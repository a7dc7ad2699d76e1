import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  createSourceEventStream,
  execute,
} from 'graphql'
import { type Member } from './member.ts'

export interface SharedExecutionParts {
  args: ExecutionArgs
  keyOf: (event: unknown) => string | null
  format: (result: ExecutionResult) => FormattedExecutionResult
  onEnd: () => void
}

/**
 * One running subscription whose results go to several sockets, its members. It ends when the last
 * member leaves.
 */
export class SharedExecution {
  readonly #parts: SharedExecutionParts
  readonly #members = new Set<Member>()
  #events: AsyncIterator<unknown> | null = null
  #isOver = false
  /** Resolves with the errors that prevent the subscription; with null once it runs. */
  readonly opened: Promise<ExecutionResult | null>

  constructor(parts: SharedExecutionParts) {
    this.#parts = parts
    this.opened = this.#open()
    // The members that joined get the rejection themselves.
    this.opened.catch(() => undefined)
  }

  add(member: Member): void {
    this.#members.add(member)
  }

  remove(member: Member): void {
    this.#members.delete(member)
    if (this.#members.size === 0) this.#end()
  }

  async #open(): Promise<ExecutionResult | null> {
    try {
      const source = await createSourceEventStream(this.#parts.args)
      if (!isEvents(source)) {
        this.#end()
        return source
      }
      this.#events = source[Symbol.asyncIterator]()
      if (this.#isOver) void this.#events.return?.()
      else void this.#run(this.#events)
      return null
    } catch (error) {
      this.#end()
      throw error
    }
  }

  async #run(events: AsyncIterator<unknown>): Promise<void> {
    try {
      for (let next = await events.next(); !next.done && !this.#isOver; next = await events.next())
        await this.#deliver(next.value)
      for (const member of this.#members) member.end()
    } catch (error) {
      for (const member of this.#members) member.fail(error)
    } finally {
      this.#end()
    }
  }

  async #deliver(event: unknown): Promise<void> {
    const { args, keyOf, format } = this.#parts
    const result = execute({ ...args, rootValue: event })
    const payload = JSON.stringify(format(result instanceof Promise ? await result : result))
    const tail = `,"type":"next","payload":${payload}}`
    const key = keyOf(event)
    for (const member of this.#members) member.push(key, tail)
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    void this.#events?.return?.()
    this.#parts.onEnd()
  }
}

function isEvents(
  source: AsyncIterable<unknown> | ExecutionResult,
): source is AsyncIterable<unknown> {
  return Symbol.asyncIterator in source
}
