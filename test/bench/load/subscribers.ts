/*
 * Many sockets in a separate process, so that their cost is not counted for the server. They do not
 * parse the messages.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { serveRequests } from '../process/channel.ts'

export interface OpenRequest {
  port: number
  count: number
  /** The subscription. The limit program and the event sockets need none. */
  query?: string
  /** API keys for the event sockets, used in turn. */
  keys?: readonly string[]
}

/**
 * The time at which each socket received the event, on the clock that all processes share, and the
 * last message.
 */
export interface ReceivedEvent {
  at: string[]
  text: string
}

const groups: WebSocket[][] = []
const atOnce = 20

async function open({ port, count, query, keys = [] }: OpenRequest): Promise<number> {
  const sockets: WebSocket[] = []
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(atOnce, count - sockets.length) }, (_, index) => {
      const key = keys[(sockets.length + index) % keys.length]
      return key === undefined ? openOne(port, query) : openEvents(port, key)
    })
    sockets.push(...(await Promise.all(batch)))
  }
  return groups.push(sockets) - 1
}

/** Opens an event socket. The server sends every event after the socket has opened. */
function openEvents(port: number, key: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/events`, {
    headers: { 'x-api-key': key },
    perMessageDeflate: false,
  })
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve(socket))
  })
}

function openOne(port: number, query: string | undefined): Promise<WebSocket> {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/graphql`,
    query ? ['graphql-transport-ws'] : [],
    { perMessageDeflate: false },
  )
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('close', (code) => reject(new Error(`the server closed a socket with ${code}`)))
    if (!query) return socket.once('open', () => resolve(socket))
    socket.once('open', () =>
      socket.send(
        JSON.stringify({ type: 'connection_init', payload: { authorization: 'Bearer bench' } }),
      ),
    )
    socket.once('message', () => void subscribe(socket, query).then(() => resolve(socket), reject))
  })
}

/** Subscribes like the console: it reads the change cursor first and continues from there. */
async function subscribe(socket: WebSocket, query: string): Promise<void> {
  const ask = (payload: object): void =>
    socket.send(JSON.stringify({ id: crypto.randomUUID(), type: 'subscribe', payload }))
  const answered = once(socket, 'message')
  ask({ query: '{ changeCursor }' })
  const [answer] = await answered
  const { payload } = JSON.parse(String(answer)) as { payload: { data: { changeCursor: string } } }
  // The server handles messages in order, so a pong proves that the subscription has started.
  const started = once(socket, 'pong')
  ask({ query, variables: { after: payload.data.changeCursor } })
  socket.ping()
  await started
}

let expected: {
  missing: number
  at: bigint[]
  text: string
  done: (event: ReceivedEvent) => void
} | null = null

function receive(message: WebSocket.RawData): void {
  // An error is not an event. The bench then times out with the name of its wait.
  if (!expected || (message as Buffer).includes('"errors"')) return
  expected.at.push(process.hrtime.bigint())
  expected.missing -= 1
  if (expected.missing > 0) return
  // ws delivers a text frame as one Buffer by default.
  expected.done({ at: expected.at.map(String), text: (message as Buffer).toString('utf8') })
  expected = null
}

async function listen(group: number): Promise<null> {
  for (const socket of groups[group] ?? []) socket.on('message', receive)
  return null
}

let next: Promise<ReceivedEvent> | null = null

interface SubscriberRequest {
  open?: OpenRequest
  listen?: number
  /** Starts to wait for an event. `collect` returns it. */
  expect?: number
  collect?: true
}

serveRequests(
  {},
  async ({
    open: sockets,
    listen: group,
    expect: count,
    collect,
  }: SubscriberRequest): Promise<unknown> => {
    if (sockets) return open(sockets)
    if (group !== undefined) return listen(group)
    if (count !== undefined) {
      next = new Promise((done) => (expected = { missing: count, at: [], text: '', done }))
      return null
    }
    return collect ? next : null
  },
)
