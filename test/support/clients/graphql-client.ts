import { randomUUID } from 'node:crypto'
import { type ClientOptions, WebSocket } from 'ws'
import { waitFor } from '../wait-for.ts'
import { type Json } from '../json.ts'

export interface Message {
  type: string
  id?: string
  // Tests look into payloads of any shape.
  payload?: Json
}

interface Opening {
  token?: string
  params?: Record<string, unknown>
  options?: ClientOptions
  protocol?: string
}

/** A client that writes protocol messages by hand, including invalid ones. */
export class GraphqlSocketClient {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  closed: { code: number; reason: string } | null = null

  private constructor(socket: WebSocket) {
    this.socket = socket
    // A peer that sends no fragments receives one buffer per message.
    socket.on('message', (data: Buffer) =>
      this.messages.push(JSON.parse(data.toString()) as Message),
    )
    socket.on('close', (code, reason) => (this.closed = { code, reason: reason.toString() }))
    socket.on('error', () => undefined)
  }

  /** Opens the socket without sending a message. */
  static async open(
    url: string,
    { options = {}, protocol = 'graphql-transport-ws' }: Opening = {},
  ): Promise<GraphqlSocketClient> {
    const client = new GraphqlSocketClient(
      new WebSocket(`${url.replace('http', 'ws')}/graphql`, protocol, options),
    )
    await waitFor(() => client.socket.readyState === WebSocket.OPEN || client.closed !== null, {
      what: 'the socket to open',
    })
    return client
  }

  /** Opens the socket, sends `connection_init`, and waits for the acknowledgement or the close. */
  static async login(
    url: string,
    { token = 'root', params = {}, ...opening }: Opening = {},
  ): Promise<GraphqlSocketClient> {
    const client = await GraphqlSocketClient.open(url, opening)
    client.send({
      type: 'connection_init',
      payload: { authorization: `Bearer ${token}`, ...params },
    })
    await waitFor(() => client.messages.length > 0 || client.closed !== null, {
      what: 'the acknowledgement',
    })
    return client
  }

  send(message: unknown): void {
    this.socket.send(JSON.stringify(message))
  }

  subscribe(
    query: string,
    variables: Record<string, unknown> = {},
    id: string = randomUUID(),
  ): string {
    this.send({ id, type: 'subscribe', payload: { query, variables } })
    return id
  }

  /** The received messages of one operation. */
  of(id: string): Message[] {
    return this.messages.filter((message) => message.id === id)
  }

  async next(id: string, count = 1): Promise<Message[]> {
    await waitFor(() => this.of(id).length >= count || this.closed !== null, {
      what: `${count} messages`,
    })
    return this.of(id)
  }

  /** Runs one query or mutation. */
  async ask(query: string, variables: Record<string, unknown> = {}): Promise<Json> {
    const [answer] = await this.next(this.subscribe(query, variables))
    return answer?.type === 'error' ? { errors: answer.payload } : answer?.payload
  }

  async closeCode(timeoutMs = 15_000): Promise<number> {
    await waitFor(() => this.closed !== null, { timeoutMs, what: 'the socket to close' })
    return this.closed?.code ?? 0
  }

  leave(): void {
    this.socket.terminate()
  }
}
