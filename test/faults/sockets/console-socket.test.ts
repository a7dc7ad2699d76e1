import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { type ConsoleLine } from '../../../server/src/engine/sockets/console-pipe.ts'
import {
  type ConsoleLimits,
  type ConsoleSocket,
  openConsoleSocket,
} from '../../../server/src/engine/sockets/console-socket.ts'
import {
  type ConsoleClosing,
  type Visit,
} from '../../../server/src/engine/sockets/console-session.ts'
import { upgradesOn } from '../../../server/src/engine/sockets/upgrade.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { ConsolePeer } from '../../support/clients/console-client.ts'
import { waitFor } from '../../support/wait-for.ts'

/* The door to consoles before guests that do what no real one would. */
interface Guest extends ConsoleLine {
  /** What was typed and not yet taken. */
  readonly typed: Uint8Array[]
  take(): void
  isClosed: boolean
  /** How much it has been asked to say. */
  said(): number
}

function guestSaying(text: (at: number) => Uint8Array | null): Guest {
  const waiting: (() => void)[] = []
  const silence = Promise.withResolvers<undefined>()
  let said = 0
  async function* saying(): AsyncGenerator<Uint8Array> {
    for (let chunk = text(0); chunk; chunk = text((said += 1))) yield chunk
    await silence.promise
  }
  const guest: Guest = {
    typed: [],
    said: () => said,
    isClosed: false,
    bytes: saying(),
    write: (bytes) => new Promise((done) => void (guest.typed.push(bytes), waiting.push(done))),
    take: () => waiting.shift()?.(),
    close() {
      guest.isClosed = true
      silence.resolve(undefined)
      for (const done of waiting.splice(0)) done()
    },
  }
  return guest
}
const silent = (): Guest => guestSaying(() => null)

const opened: { server: Server; door: ConsoleSocket; peers: ConsolePeer[] }[] = []
afterEach(async () => {
  for (const { server, door, peers } of opened.splice(0)) {
    for (const peer of peers) peer.leave()
    await door.stop()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

interface House {
  door: ConsoleSocket
  enter(): Promise<ConsolePeer>
  left: string[]
  /**
   * What waits in our memory for visitors to read; what the kernel takes besides is its own affair.
   */
  heldBytes(): number
}

async function houseOf(
  visitFor: () => Partial<Visit> & { guest: Guest },
  limits: Partial<ConsoleLimits> = {},
): Promise<House> {
  const server = createServer()
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const log = createLog('silent')
  const left: string[] = []
  const admit = (): Promise<Visit | ConsoleClosing> => {
    const { guest, ...rest } = visitFor()
    return Promise.resolve({
      userId: 'u',
      tenantId: 't',
      seat: 'serial 1',
      open: () => Promise.resolve(guest),
      standing: () => Promise.resolve('good'),
      whyEnded: () => Promise.resolve('lost'),
      leave: () => Promise.resolve(void left.push('left')),
      ...rest,
    })
  }
  const upgrades = upgradesOn({ server, allowedOrigins: () => [], log })
  const metrics = createMetrics({ withProcess: false })
  const door = openConsoleSocket({
    upgrades,
    path: '/ws/console',
    admit,
    clock: systemClock,
    log,
    metrics,
    limits,
  })
  const peers: ConsolePeer[] = []
  opened.push({ server, door, peers })
  // A server on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const enter = async (): Promise<ConsolePeer> => {
    const peer = await ConsolePeer.open(`ws://127.0.0.1:${port}/ws/console?ticket=x`)
    peers.push(peer)
    return peer
  }
  return {
    door,
    enter,
    left,
    heldBytes: () => sockets.reduce((sum, { writableLength }) => sum + writableLength, 0),
  }
}

test('a guest that takes nothing holds the visitor back and not our memory, and gets everything in order once it does', async () => {
  const guest = silent()
  const { enter } = await houseOf(() => ({ guest }), { pingMs: 20 })
  const peer = await enter()
  const messages = 400
  for (let index = 0; index < messages; index += 1) peer.socket.send(Buffer.alloc(64 * 1024, index))
  let before = -1
  await waitFor(() => before === (before = peer.socket.bufferedAmount), {
    everyMs: 150,
    what: 'everything to stand still',
  })
  expect(before).toBeGreaterThan(1024 * 1024)
  expect(guest.typed.length).toBeLessThan(10)
  // Nobody listens to a visitor who is held back, so nobody may take the silence for death either.
  expect(peer.closed).toBeNull()
  await waitFor(
    () => {
      guest.take()
      return guest.typed.length === messages
    },
    { everyMs: 0, what: 'all of it' },
  )
  expect(guest.typed.map((bytes) => bytes[0])).toEqual(
    Array.from({ length: messages }, (_, index) => index % 256),
  )
})

test('a visitor who reads nothing holds the guest back and not our memory', async () => {
  const guest = guestSaying((at) => (at < 1_000 ? Buffer.alloc(64 * 1024, at) : null))
  const { enter, heldBytes } = await houseOf(() => ({ guest }))
  const peer = await enter()
  peer.socket.pause()
  let before = -1
  await waitFor(() => before === (before = guest.said()), {
    everyMs: 150,
    what: 'everything to stand still',
  })
  expect(before).toBeLessThan(1_000)
  expect(heldBytes()).toBeLessThan(1024 * 1024)
  peer.socket.resume()
  await waitFor(() => Buffer.concat(peer.chunks).length === 1_000 * 64 * 1024, {
    what: 'all of it',
    everyMs: 100,
  })
  peer.leave()
})

test('a peer that has gone silently is noticed, and its line and seat are given up', async () => {
  const guest = silent()
  const { enter, door, left } = await houseOf(() => ({ guest }), { pingMs: 50 })
  const peer = await enter()
  await waitFor(() => door.sockets() === 1)
  // Not a byte is read or answered any more, and no goodbye is sent.
  peer.socket.pause()
  await waitFor(() => door.sockets() === 0, { what: 'it to be noticed' })
  expect([guest.isClosed, left]).toEqual([true, ['left']])
})

test('a console at which nothing happens is closed, and one at which something does stays', async () => {
  const [quiet, busy] = [silent(), silent()]
  let seat = 0
  const { enter } = await houseOf(
    () => ({ guest: seat === 0 ? quiet : busy, seat: `serial ${seat++}` }),
    { pingMs: 20, idleMs: 400 },
  )
  const peer = await enter()
  const typist = await enter()
  await waitFor(
    () => {
      typist.type('.')
      busy.take()
      return peer.closed !== null
    },
    { everyMs: 50 },
  )
  expect([peer.closed?.code, typist.closed]).toEqual([4408, null])
})

test('who may not be there any more is shown out, each with the reason', async () => {
  const standings = ['ended', 'changed', 'good'] as const
  let seat = 0
  const { enter, door } = await houseOf(() => {
    const standing = standings[seat % 3] ?? 'good'
    return { guest: silent(), seat: `serial ${seat++}`, standing: () => Promise.resolve(standing) }
  })
  const peers = [await enter(), await enter(), await enter()]
  await waitFor(() => door.sockets() === 3)
  await door.recheck()
  expect([await peers[0]?.closeCode(), await peers[1]?.closeCode(), peers[2]?.closed]).toEqual([
    4401,
    4403,
    null,
  ])
})

test('who came for the same console before is told that somebody else has it, and who is one too many is turned away', async () => {
  const guests: Guest[] = []
  const { enter, door } = await houseOf(() => ({ guest: guests[guests.push(silent()) - 1]! }), {
    socketsPerUser: 2,
  })
  const first = await enter()
  await waitFor(() => door.sockets() === 1)
  const second = await enter()
  expect(await first.closeCode()).toBe(4409)
  expect(guests.map(({ isClosed }) => isClosed)).toEqual([true, false])
  const [third, fourth] = [await enter(), await enter()]
  await waitFor(() => [second, third, fourth].filter(({ closed }) => closed !== null).length >= 2, {
    what: 'all but one to be closed',
  })
  expect([second, third, fourth].filter(({ closed }) => closed === null)).toHaveLength(1)
})

test('whoever is there when the server goes is told to come back', async () => {
  const guest = silent()
  const { enter, door } = await houseOf(() => ({ guest }))
  const peer = await enter()
  await waitFor(() => door.sockets() === 1)
  await door.stop()
  expect(await peer.closeCode()).toBe(1001)
  expect(guest.isClosed).toBe(true)
})

test('a line that cannot be opened is told by its reason, and one that ends by itself by what is known', async () => {
  const [refused, ended] = ['stopped', 'moved'] as const
  const closed = guestSaying(() => null)
  closed.close()
  let turn = 0
  const { enter } = await houseOf(() =>
    turn++ === 0
      ? { guest: closed, open: () => Promise.resolve(refused) }
      : { guest: closed, whyEnded: () => Promise.resolve(ended) },
  )
  expect([await (await enter()).closeCode(), await (await enter()).closeCode()]).toEqual([
    4410, 4411,
  ])
})
