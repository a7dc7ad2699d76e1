import { type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type RequestTarget,
  type RequestPattern,
  requestTargetOf,
  matchesPattern,
} from './pattern.ts'

interface Watch {
  target: RequestTarget
  response: ServerResponse
  write(line: string): boolean
  /** Buffered lines; null when lines are sent at once. */
  buffered: string[] | null
  isMuted: boolean
  toDrop: number
}

/**
 * The open watches, and the faults of their lines. A fault affects only the watches that are open
 * at the command.
 */
export class WatchFaults {
  readonly #open = new Set<Watch>()

  get count(): number {
    return this.#open.size
  }

  /** Replaces `write` of a watch response. Other requests stay unchanged. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const target = requestTargetOf(request)
    if (target.method !== 'WATCH') return
    const write = response.write.bind(response)
    const watch: Watch = {
      target,
      response,
      write: (line) => write(line, 'utf8'),
      buffered: null,
      isMuted: false,
      toDrop: 0,
    }
    // The cast holds because a watch writes whole lines of text, one at a time.
    response.write = ((line: string): boolean => send(watch, line)) as ServerResponse['write']
    this.#open.add(watch)
    response.once('close', () => this.#open.delete(watch))
  }

  /** Ends the watches as a server does after their timeout. */
  end = (pattern: RequestPattern): number => this.#each(pattern, ({ response }) => response.end())

  /** Cuts the connections of the watches. */
  reset = (pattern: RequestPattern): number =>
    this.#each(pattern, ({ response }) => response.socket?.destroy())

  /** Keeps the watches open but sends no more bytes. */
  mute = (pattern: RequestPattern): number => this.#each(pattern, (watch) => (watch.isMuted = true))

  /** Drops the next events of each watch. */
  drop = (pattern: RequestPattern, times: number): number =>
    this.#each(pattern, (watch) => (watch.toDrop += times))

  /** Buffers events until they are released. */
  hold = (pattern: RequestPattern): number =>
    this.#each(pattern, (watch) => (watch.buffered ??= []))

  release = (pattern: RequestPattern): number =>
    this.#each(pattern, (watch) => {
      const { buffered } = watch
      watch.buffered = null
      for (const line of buffered ?? []) watch.write(line)
    })

  #each(pattern: RequestPattern, act: (watch: Watch) => void): number {
    const chosen = [...this.#open].filter(({ target }) =>
      matchesPattern({ path: '*', ...pattern }, target),
    )
    for (const watch of chosen) act(watch)
    return chosen.length
  }
}

function send(watch: Watch, line: string): boolean {
  if (watch.isMuted) return true
  if (watch.toDrop > 0 && !line.startsWith('{"type":"BOOKMARK"')) {
    watch.toDrop -= 1
    return true
  }
  if (!watch.buffered) return watch.write(line)
  watch.buffered.push(line)
  return true
}
