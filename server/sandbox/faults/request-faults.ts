import { type IncomingMessage, type ServerResponse } from 'node:http'
import { clock } from '../clock.ts'
import { type RequestPattern, askedBy, fits } from './pattern.ts'

/** What happens to a request instead of, before or after its work. */
export type RequestFault =
  | { do: 'delay'; ms: number }
  | { do: 'answer'; status: number; body?: unknown; headers?: Record<string, string> }
  /** The connection is cut; with `after` the work is done and kept, and only the answer is lost. */
  | { do: 'drop'; when: 'before' | 'after' }
  /** No answer and no end, until the client gives up. */
  | { do: 'hang' }
  /** The answer breaks off after so many bytes of its body. */
  | { do: 'cut'; afterBytes: number }
  /** A list as it was at an earlier version. */
  | { do: 'stale'; version: number }

export interface RequestRule extends RequestPattern {
  /** How many requests it is for; one when left out. */
  times?: number
  fault: RequestFault
}

type Next = () => Promise<void>

/** Faults that wait for their requests, in the order in which they were ordered. */
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
    return fault ? meet(fault, { request, response, next }) : next()
  }

  #take(request: IncomingMessage): RequestFault | null {
    const asked = askedBy(request)
    const found = this.#rules.find(({ rule }) => fits(rule, asked))
    if (!found) return null
    found.left -= 1
    if (found.left <= 0) this.#rules = this.#rules.filter((each) => each !== found)
    return found.rule.fault
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  next: Next
}

async function meet(fault: RequestFault, exchange: Exchange): Promise<void> {
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
      request.url = asOf(request.url ?? '', fault.version)
      return next()
  }
}

const asOf = (url: string, version: number): string =>
  `${url}${url.includes('?') ? '&' : '?'}resourceVersion=${version}&resourceVersionMatch=Exact`

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body = '', headers }: RequestFault & { do: 'answer' },
): void {
  // A body that nobody reads would keep the connection from its next request.
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
  // The API server ends every answer with its content and nothing else.
  response.end = end as ServerResponse['end']
}
