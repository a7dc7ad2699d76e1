/*
 * Many sockets in a process of their own, so that what they cost is not the server's. They look at
 * nothing they hear.
 */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { answering } from '../process/channel.ts'

export interface Open {
  port: number
  count: number
  /** Of a subscription; absent for the limit program and for events, which speak no protocol. */
  query?: string
  /** API keys of those who listen to the events, in turn. */
  keys?: readonly string[]
}

/**
 * When each socket heard the event, on the clock that all processes share, and what the last one
 * heard.
 */
export interface Heard {
  at: string[]
  text: string
}

const groups: WebSocket[][] = []
const atOnce = 20

async function open({ port, count, query, keys = [] }: Open): Promise<number> {
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

/** Nothing is to be heard yet when it is open, and everything from then on. */
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

/** As the console does: it reads, and then goes on from where the changes stood before that. */
async function subscribe(socket: WebSocket, query: string): Promise<void> {
  const ask = (payload: object): void =>
    socket.send(JSON.stringify({ id: crypto.randomUUID(), type: 'subscribe', payload }))
  const answered = once(socket, 'message')
  ask({ query: '{ changeCursor }' })
  const [answer] = await answered
  const { payload } = JSON.parse(String(answer)) as { payload: { data: { changeCursor: string } } }
  // Messages are begun in the order of sending, so whoever hears the pong is subscribed.
  const begun = once(socket, 'pong')
  ask({ query, variables: { after: payload.data.changeCursor } })
  socket.ping()
  await begun
}

let hearing: { missing: number; at: bigint[]; text: string; done: (heard: Heard) => void } | null =
  null

function hear(message: WebSocket.RawData): void {
  // An error is not an event; without an event the bench says what it waited for.
  if (!hearing || (message as Buffer).includes('"errors"')) return
  hearing.at.push(process.hrtime.bigint())
  hearing.missing -= 1
  if (hearing.missing > 0) return
  // Text frames come as one Buffer, which is ws's default.
  hearing.done({ at: hearing.at.map(String), text: (message as Buffer).toString('utf8') })
  hearing = null
}

async function listen(group: number): Promise<null> {
  for (const socket of groups[group] ?? []) socket.on('message', hear)
  return null
}

let next: Promise<Heard> | null = null

interface Asked {
  open?: Open
  listen?: number
  /** Waits from now on; the answer comes with `collect`. */
  expect?: number
  collect?: true
}

answering(
  {},
  async ({ open: wanted, listen: group, expect: count, collect }: Asked): Promise<unknown> => {
    if (wanted) return open(wanted)
    if (group !== undefined) return listen(group)
    if (count !== undefined) {
      next = new Promise((done) => (hearing = { missing: count, at: [], text: '', done }))
      return null
    }
    return collect ? next : null
  },
)
