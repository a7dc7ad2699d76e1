import { request } from 'node:http'
import { type ClientOptions, WebSocket } from 'ws'
import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'

/** A client of the REST event stream, over a WebSocket or server-sent events. */
export interface EventClient {
  readonly events: Json[]
  /** The ID of the last server-sent event, for a resume. Empty for a WebSocket. */
  lastId(): string
  /**
   * The close code of a socket, the HTTP status of a refusal, or 0 for an ended stream. Null while
   * the connection is open.
   */
  over(): number | null
  received(what: string, isMeant: (event: Json) => boolean): Promise<Json>
  leave(): void
}

abstract class BaseClient implements EventClient {
  readonly events: Json[] = []
  protected ended: number | null = null
  protected id = ''

  lastId(): string {
    return this.id
  }

  over(): number | null {
    return this.ended
  }

  async received(what: string, isMeant: (event: Json) => boolean): Promise<Json> {
    await waitFor(() => this.events.some(isMeant), { timeoutMs: 15_000, what })
    return this.events.find(isMeant)
  }

  abstract leave(): void
}

class SocketClient extends BaseClient {
  readonly #socket: WebSocket

  constructor(url: string, options: ClientOptions) {
    super()
    this.#socket = new WebSocket(url, options)
    this.#socket.on('message', (data: Buffer) => this.events.push(JSON.parse(data.toString())))
    this.#socket.on(
      'unexpected-response',
      (_request, { statusCode = 0 }) => (this.ended = statusCode),
    )
    this.#socket.on('close', (code) => (this.ended ??= code))
    this.#socket.on('error', () => undefined)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  leave(): void {
    this.#socket.terminate()
  }
}

class StreamClient extends BaseClient {
  #text = ''
  readonly #sent: ReturnType<typeof request>
  isOpen = false

  constructor(url: string, headers: Record<string, string>) {
    super()
    this.#sent = request(url, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) this.ended = response.statusCode ?? 0
      response.on('data', (chunk: Buffer) => this.#read(chunk.toString()))
      response.on('error', () => undefined)
      response.on('close', () => (this.ended ??= 0))
    })
    this.#sent.on('error', () => undefined)
    this.#sent.end()
  }

  leave(): void {
    this.#sent.destroy()
  }

  #read(text: string): void {
    this.isOpen = true
    const messages = (this.#text + text).split('\n\n')
    this.#text = messages.pop() ?? ''
    for (const message of messages) {
      const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(message) ?? []
      if (id === undefined || data === undefined) continue
      this.id = id
      this.events.push(JSON.parse(data))
    }
  }
}

const opened = async <Opened extends SocketClient | StreamClient>(
  client: Opened,
): Promise<Opened> => {
  await waitFor(() => client.isOpen || client.over() !== null, {
    what: 'the event client to be accepted or refused',
  })
  return client
}

/** Returns the status and the text with which the server refuses a socket. */
const refusalOf = (url: string, options: ClientOptions) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const socket = new WebSocket(url, options)
    socket.on('open', () => reject(new Error('the server accepted the socket')))
    socket.on('error', reject)
    socket.on('unexpected-response', (_request, response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })

/** Opens an event client and waits until the server has accepted or refused it. */
export const listenTo = {
  socket: (url: string, query: string, options: ClientOptions = {}): Promise<EventClient> =>
    opened(new SocketClient(`${url.replace('http', 'ws')}/ws/events${query}`, options)),
  refusedSocket: (url: string, query: string, options: ClientOptions = {}) =>
    refusalOf(`${url.replace('http', 'ws')}/ws/events${query}`, options),
  stream: (url: string, headers: Record<string, string>): Promise<EventClient> =>
    opened(new StreamClient(`${url}/api/v1/events`, headers)),
}
