import { type IncomingMessage, type ServerResponse } from 'node:http'
import { clock } from '../clock.ts'
import { type RequestPattern, requestTargetOf, matchesPattern } from './pattern.ts'

/** The fault of a request: it replaces the work of the request, or happens before or after it. */
export type RequestFault =
  | { do: 'delay'; ms: number }
  | { do: 'answer'; status: number; body?: unknown; headers?: Record<string, string> }
  /**
   * Cuts the connection. When `after`, the work is done and stored, and only the response is lost.
   */
  | { do: 'drop'; when: 'before' | 'after' }
  /** Sends no response and keeps the connection open until the client gives up. */
  | { do: 'hang' }
  /** Cuts the response after this number of bytes of its body. */
  | { do: 'cut'; afterBytes: number }
  /** Serves a list as it was at this version. */
  | { do: 'stale'; version: number }

/** A fault for the next requests that match the pattern. */
export interface RequestRule extends RequestPattern {
  /** Number of requests; the default is 1. */
  times?: number
  fault: RequestFault
}

type Next = () => Promise<void>

/** Pending faults, applied in the order in which they were added. */
export class RequestFaults {
  #rules: { rule: RequestRule; left: number }[] = []

  get waiting(): RequestRule[] {
    return this.#rules.map(({ rule, left }) => ({ ...rule, times: left }))
  }

  add(rule: RequestRule): void {
    this.#rules.push({ rule, left: rule.times ?? 1 })
  }

  clear(): void {
    this.#rules = []
  }

  async serve(request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> {
    const fault = this.#take(request)
    return fault ? applyFault(fault, { request, response, next }) : next()
  }

  #take(request: IncomingMessage): RequestFault | null {
    const target = requestTargetOf(request)
    const match = this.#rules.find(({ rule }) => matchesPattern(rule, target))
    if (!match) return null
    match.left -= 1
    if (match.left <= 0) this.#rules = this.#rules.filter((each) => each !== match)
    return match.rule.fault
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  next: Next
}

async function applyFault(fault: RequestFault, exchange: Exchange): Promise<void> {
  const { request, response, next } = exchange
  switch (fault.do) {
    case 'delay':
      return new Promise((done) => clock.after(fault.ms, () => void next().then(done)))
    case 'answer':
      return answer(request, response, fault)
    case 'drop':
      return drop(response, fault.when, next)
    case 'hang':
      return undefined
    case 'cut':
      cutAfter(response, fault.afterBytes)
      return next()
    case 'stale':
      request.url = atVersion(request.url ?? '', fault.version)
      return next()
  }
}

const atVersion = (url: string, version: number): string =>
  `${url}${url.includes('?') ? '&' : '?'}resourceVersion=${version}&resourceVersionMatch=Exact`

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body = '', headers }: RequestFault & { do: 'answer' },
): void {
  // An unread body would block the next request on the connection.
  request.resume()
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    ...headers,
  })
  response.end(isText ? body : JSON.stringify(body))
}

async function drop(response: ServerResponse, when: 'before' | 'after', next: Next): Promise<void> {
  const { socket } = response
  if (when === 'after') {
    response.writeHead = () => response
    response.end = () => response
    await next()
  }
  socket?.destroy()
}

function cutAfter(response: ServerResponse, afterBytes: number): void {
  const end = (content: unknown): ServerResponse => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(String(content))
    response.write(bytes.subarray(0, afterBytes), () => response.socket?.destroy())
    return response
  }
  // The cast holds because the API server always ends a response with its whole content.
  response.end = end as ServerResponse['end']
}
