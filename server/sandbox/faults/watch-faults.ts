import { type IncomingMessage, type ServerResponse } from 'node:http'
import { type Asked, type RequestPattern, askedBy, fits } from './pattern.ts'

interface Watch {
  asked: Asked
  response: ServerResponse
  write(line: string): boolean
  /** Lines kept back; null when they go out as they come. */
  held: string[] | null
  isMuted: boolean
  toDrop: number
}

/**
 * Every open watch, and what is done to its lines on the way out. A fault is for the watches that
 * are open when it is ordered.
 */
export class WatchFaults {
  readonly #open = new Set<Watch>()

  get count(): number {
    return this.#open.size
  }

  /** Takes the place of the response's write; everything that is no watch is left as it is. */
  follow(request: IncomingMessage, response: ServerResponse): void {
    const asked = askedBy(request)
    if (asked.method !== 'WATCH') return
    const write = response.write.bind(response)
    const watch: Watch = {
      asked,
      response,
      write: (line) => write(line, 'utf8'),
      held: null,
      isMuted: false,
      toDrop: 0,
    }
    // A watch writes whole lines of text, one at a time.
    response.write = ((line: string): boolean => send(watch, line)) as ServerResponse['write']
    this.#open.add(watch)
    response.once('close', () => this.#open.delete(watch))
  }

  /** Ends them as a server does whose time is over. */
  end = (pattern: RequestPattern): number => this.#each(pattern, ({ response }) => response.end())

  /** Cuts them in the middle. */
  reset = (pattern: RequestPattern): number =>
    this.#each(pattern, ({ response }) => response.socket?.destroy())

  /** Keeps them open and never writes a byte again. */
  mute = (pattern: RequestPattern): number => this.#each(pattern, (watch) => (watch.isMuted = true))

  /** Loses the next events of each. */
  drop = (pattern: RequestPattern, times: number): number =>
    this.#each(pattern, (watch) => (watch.toDrop += times))

  /** Keeps events back until they are released. */
  hold = (pattern: RequestPattern): number => this.#each(pattern, (watch) => (watch.held ??= []))

  release = (pattern: RequestPattern): number =>
    this.#each(pattern, (watch) => {
      const { held } = watch
      watch.held = null
      for (const line of held ?? []) watch.write(line)
    })

  #each(pattern: RequestPattern, act: (watch: Watch) => void): number {
    const chosen = [...this.#open].filter(({ asked }) => fits({ path: '*', ...pattern }, asked))
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
  if (!watch.held) return watch.write(line)
  watch.held.push(line)
  return true
}
