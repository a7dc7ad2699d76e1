import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { gunzipSync } from 'node:zlib'

import { type Json } from '../json.ts'

/** An HTTP response as it was received. */
export interface WireAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  body: Json
}

export interface WireCall {
  body?: unknown
  headers?: Record<string, string>
}

export interface GraphAnswer extends WireAnswer {
  data: Json
  /** The code of the first error; null when there is none. */
  code: string | null
}

/** An API client with one credential. */
export interface Client {
  readonly token: string
  rest(method: string, path: string, call?: WireCall): Promise<WireAnswer>
  graphql(
    document: string,
    variables?: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<GraphAnswer>
  /** Runs a document that must succeed, and returns its data. */
  ask(document: string, variables?: Record<string, unknown>): Promise<Json>
  /** Returns the same client with more headers in every request. */
  with(headers: Record<string, string>): Client
}

/** Sends the path unchanged and reads whole answers. `answers` collects all of them. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #url: () => string
  readonly answers: string[] = []

  constructor(url: () => string) {
    this.#url = url
  }

  close(): void {
    this.#agent.destroy()
  }

  send(method: string, path: string, { body, headers = {} }: WireCall = {}): Promise<WireAnswer> {
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    const type =
      content === undefined
        ? {}
        : {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(content)),
          }
    const { hostname, port } = new URL(this.#url())
    return new Promise((done, failed) => {
      const sent = request(
        { hostname, port, path, method, agent: this.#agent, headers: { ...type, ...headers } },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', failed)
          const end = (): void => {
            const bytes = Buffer.concat(chunks)
            const isPacked = response.headers['content-encoding'] === 'gzip'
            const text = (isPacked ? gunzipSync(bytes) : bytes).toString()
            this.answers.push(`${JSON.stringify(response.headers)}\n${text}`)
            done({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text,
              body: parsed(text),
            })
          }
          response.on('end', end)
          // An event stream never ends, so its first chunk counts as the answer.
          if (response.headers['content-type']?.startsWith('text/event-stream'))
            response.once('data', () => {
              end()
              sent.destroy()
            })
        },
      )
      sent.setTimeout(60_000, () => sent.destroy(new Error(`no answer to ${method} ${path}`)))
      sent.once('error', failed)
      sent.end(content)
    })
  }

  client(token: string, always: Record<string, string> = {}): Client {
    const credentials: Record<string, string> =
      token === '' ? {} : { authorization: `Bearer ${token}` }
    const rest: Client['rest'] = (method, path, { body, headers = {} } = {}) => {
      const full = path.startsWith('/api/') ? path : `/api/v1${path}`
      return this.send(method, full, { body, headers: { ...credentials, ...always, ...headers } })
    }
    const graphql: Client['graphql'] = async (query, variables = {}, headers = {}) => {
      const answer = await this.send('POST', '/graphql', {
        body: { query, variables },
        headers: { ...credentials, ...always, ...headers },
      })
      return {
        ...answer,
        data: answer.body?.data ?? null,
        code: answer.body?.errors?.[0]?.extensions?.code ?? null,
      }
    }
    const ask: Client['ask'] = async (document, variables) => {
      const { data, code, text } = await graphql(document, variables)
      if (code !== null || !data)
        throw new Error(`${document.slice(0, 60)} was answered with ${text.slice(0, 500)}`)
      return data
    }
    return { token, rest, graphql, ask, with: (more) => this.client(token, { ...always, ...more }) }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

// The ports are below the range for outgoing connections, and each test worker has a thousand of
// its own. Nothing else takes a port before the test listens on it.
const firstPort = 10_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 20) * 1_000
let lastPort = Math.floor(Math.random() * 1_000)

export async function freePort(): Promise<number> {
  lastPort = (lastPort + 1) % 1_000
  const port = firstPort + lastPort
  const server = createServer()
  const isFree = await new Promise<boolean>((done) => {
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => done(true))
  })
  if (!isFree) return freePort()
  await new Promise<void>((done) => server.close(() => done()))
  return port
}
