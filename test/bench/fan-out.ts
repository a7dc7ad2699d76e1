import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { type WebSocket, WebSocketServer } from 'ws'
import { cursorFromPosition } from '../../server/src/domain/change/cursor.ts'
import { type GraphWorld } from '../support/graph-world.ts'
import { waitFor } from '../support/wait-for.ts'

export interface FanOutResult {
  /** Medians of the server's CPU per event, in milliseconds. */
  plainMs: number
  sharedMs: number
  ratio: number
}

const query = 'subscription { changes { cursor kind objectId tenantId version gap } }'

// Beyond everything that the log of a test holds, and never going back between two measurements of one world.
const xid = 2n ** 40n
let last = 0n

/**
 * What one event costs the server's CPU when it goes to many subscribers, against `ws.send` of one prepared string to as
 * many sockets, alternating in the same run. The subscribers live in a process of their own. The world's limits must be lifted.
 */
export async function measureFanOut(world: GraphWorld, { subscribers = 1_000, events = 60, token = 'root' } = {}): Promise<FanOutResult> {
  const plain = new Set<WebSocket>()
  const acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false, clientTracking: false })
  const close = world.upgrades.add(({ url, request, stream, head }) => {
    if (url.pathname !== '/plain') return false
    acceptor.handleUpgrade(request, stream, head, (socket) => plain.add(socket))
    return true
  })
  const client = fork(fileURLToPath(new URL('fan-out-client.ts', import.meta.url)), [
    world.url.replace('http', 'ws'),
    token,
    query,
    String(subscribers),
  ])
  const heard = { subscribed: 0, rounds: 0, closed: 0 }
  client.on('message', (message: { subscribed?: true; rounds?: number; closed?: number }) => {
    if (message.subscribed) heard.subscribed += 1
    heard.rounds = message.rounds ?? heard.rounds
    if (message.closed) heard.closed = message.closed
  })
  try {
    await waitFor(() => heard.subscribed === subscribers || heard.closed > 0, {
      timeoutMs: 60_000,
      what: `the subscribers (closed with ${heard.closed})`,
    })
    const share = (): void => world.feed.hub.publish(pageOf({ xid, id: (last += 1n) }))
    share()
    await waitFor(() => heard.rounds >= 1, { timeoutMs: 20_000, what: 'the first event' })
    const text = JSON.stringify({
      id: randomUUID(),
      type: 'next',
      payload: { data: { changes: { ...changeAt({ xid, id: 1n }), gap: false } } },
    })
    const send = (): void => plain.forEach((socket) => socket.send(text))
    const costs: Record<'plain' | 'shared', number[]> = { plain: [], shared: [] }
    for (let event = 0; event < events; event += 1) {
      for (const [kind, act] of [
        ['plain', send],
        ['shared', share],
      ] as const) {
        const [before, rounds] = [process.cpuUsage(), heard.rounds]
        act()
        await waitFor(() => heard.rounds > rounds, { timeoutMs: 10_000, everyMs: 5, what: 'everybody to hear' })
        const { user, system } = process.cpuUsage(before)
        costs[kind].push((user + system) / 1_000)
      }
    }
    const [plainMs, sharedMs] = [median(costs.plain), median(costs.shared)]
    return { plainMs, sharedMs, ratio: sharedMs / plainMs }
  } finally {
    close()
    client.kill('SIGKILL')
    for (const socket of plain) socket.terminate()
  }
}

interface At {
  xid: bigint
  id: bigint
}

const changeAt = (at: At) => ({
  cursor: cursorFromPosition(at),
  tenantId: null,
  kind: 'tenant' as const,
  objectId: randomUUID(),
  version: Number(at.id),
})

const pageOf = (at: At) => ({ changes: [{ at, change: changeAt(at) }], position: at, more: false, gap: false, heldMs: 0 })

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
