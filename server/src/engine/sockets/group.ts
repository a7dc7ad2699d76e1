import {
  type ExecutionArgs,
  type ExecutionResult,
  type FormattedExecutionResult,
  createSourceEventStream,
  execute,
} from 'graphql'
import { type Member } from './member.ts'

export interface GroupParts {
  args: ExecutionArgs
  keyOf: (event: unknown) => string | null
  format: (result: ExecutionResult) => FormattedExecutionResult
  onEnd: () => void
}

/** One running execution and those who hear it; without members it ends. */
export class Group {
  readonly #parts: GroupParts
  readonly #members = new Set<Member>()
  #events: AsyncIterator<unknown> | null = null
  #over = false
  /** What stands against the subscription; null once it runs. */
  readonly opened: Promise<ExecutionResult | null>

  constructor(parts: GroupParts) {
    this.#parts = parts
    this.opened = this.#open()
    // Those who joined hear of it themselves.
    this.opened.catch(() => undefined)
  }

  enter(member: Member): void {
    this.#members.add(member)
  }

  leave(member: Member): void {
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
      if (this.#over) void this.#events.return?.()
      else void this.#run(this.#events)
      return null
    } catch (error) {
      this.#end()
      throw error
    }
  }

  async #run(events: AsyncIterator<unknown>): Promise<void> {
    try {
      for (let next = await events.next(); !next.done && !this.#over; next = await events.next())
        await this.#tell(next.value)
      for (const member of this.#members) member.end()
    } catch (error) {
      for (const member of this.#members) member.fail(error)
    } finally {
      this.#end()
    }
  }

  async #tell(event: unknown): Promise<void> {
    const { args, keyOf, format } = this.#parts
    const result = execute({ ...args, rootValue: event })
    const payload = JSON.stringify(format(result instanceof Promise ? await result : result))
    const tail = `,"type":"next","payload":${payload}}`
    const key = keyOf(event)
    for (const member of this.#members) member.push(key, tail)
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    void this.#events?.return?.()
    this.#parts.onEnd()
  }
}

function isEvents(
  source: AsyncIterable<unknown> | ExecutionResult,
): source is AsyncIterable<unknown> {
  return Symbol.asyncIterator in source
}
