import { type Server, createServer } from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { type GuestStream } from '../../../server/src/engine/sockets/console-pipe.ts'
import {
  type ConsoleLimits,
  type ConsoleSocket,
  openConsoleSocket,
} from '../../../server/src/engine/sockets/console-socket.ts'
import {
  type ConsoleCloseReason,
  type ConsoleAccess,
} from '../../../server/src/engine/sockets/console-session.ts'
import { createUpgrades } from '../../../server/src/engine/sockets/upgrade.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { ConsoleClient } from '../../support/clients/console-client.ts'
import { waitFor } from '../../support/wait-for.ts'

/*
 * The console socket in front of guests that behave like no real one.
 */
interface Guest extends GuestStream {
  /** The input that the guest has not accepted yet. */
  readonly typed: Uint8Array[]
  take(): void
  isClosed: boolean
  /** The number of chunks that the guest has sent. */
  sentChunks(): number
}

function guestSending(text: (at: number) => Uint8Array | null): Guest {
  const waiting: (() => void)[] = []
  const silence = Promise.withResolvers<undefined>()
  let sentChunks = 0
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = text(0); chunk; chunk = text((sentChunks += 1))) yield chunk
    await silence.promise
  }
  const guest: Guest = {
    typed: [],
    sentChunks: () => sentChunks,
    isClosed: false,
    bytes: chunks(),
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
const silent = (): Guest => guestSending(() => null)

const opened: { server: Server; consoles: ConsoleSocket; peers: ConsoleClient[] }[] = []
afterEach(async () => {
  for (const { server, consoles, peers } of opened.splice(0)) {
    for (const peer of peers) peer.leave()
    await consoles.stop()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
})

interface Harness {
  consoles: ConsoleSocket
  enter(): Promise<ConsoleClient>
  left: string[]
  /**
   * The number of bytes that wait in this process for clients to read. Kernel buffers are not
   * included.
   */
  heldBytes(): number
}

async function harnessFor(
  sessionFor: () => Partial<ConsoleAccess> & { guest: Guest },
  limits: Partial<ConsoleLimits> = {},
): Promise<Harness> {
  const server = createServer()
  const sockets: Socket[] = []
  server.on('connection', (socket) => sockets.push(socket))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const log = createLog('silent')
  const left: string[] = []
  const admit = (): Promise<ConsoleAccess | ConsoleCloseReason> => {
    const { guest, ...rest } = sessionFor()
    return Promise.resolve({
      userId: 'u',
      tenantId: 't',
      consoleKey: 'serial 1',
      open: () => Promise.resolve(guest),
      checkCredential: () => Promise.resolve('good'),
      endReason: () => Promise.resolve('lost'),
      release: () => Promise.resolve(void left.push('left')),
      ...rest,
    })
  }
  const upgrades = createUpgrades({ server, allowedOrigins: () => [], log })
  const metrics = createMetrics({ withProcess: false })
  const consoles = openConsoleSocket({
    upgrades,
    path: '/ws/console',
    trustProxy: 0,
    admit,
    clock: systemClock,
    log,
    metrics,
    limits,
  })
  const peers: ConsoleClient[] = []
  opened.push({ server, consoles, peers })
  // A server on TCP has an address of this form.
  const { port } = server.address() as AddressInfo
  const enter = async (): Promise<ConsoleClient> => {
    const peer = await ConsoleClient.open(`ws://127.0.0.1:${port}/ws/console?ticket=x`)
    peers.push(peer)
    return peer
  }
  return {
    consoles,
    enter,
    left,
    heldBytes: () => sockets.reduce((sum, { writableLength }) => sum + writableLength, 0),
  }
}

test('a guest that accepts nothing blocks its client without buffering, and gets all input in order later', async () => {
  const guest = silent()
  const { enter } = await harnessFor(() => ({ guest }), { pingMs: 20 })
  const peer = await enter()
  const messages = 400
  for (let index = 0; index < messages; index += 1) peer.socket.send(Buffer.alloc(64 * 1024, index))
  let before = -1
  await waitFor(() => before === (before = peer.socket.bufferedAmount), {
    everyMs: 150,
    what: 'the transfer to stop',
  })
  expect(before).toBeGreaterThan(1024 * 1024)
  expect(guest.typed.length).toBeLessThan(10)
  // A blocked client is not read, so its silence must not count as death.
  expect(peer.closed).toBeNull()
  const accepting = setInterval(() => guest.take(), 0)
  onTestFinished(() => clearInterval(accepting))
  await waitFor(() => guest.typed.length === messages, { timeoutMs: 15_000, what: 'all of it' })
  expect(guest.typed.map((bytes) => bytes[0])).toEqual(
    Array.from({ length: messages }, (_, index) => index % 256),
  )
})

test('a client that reads nothing blocks the guest without buffering', async () => {
  const guest = guestSending((at) => (at < 1_000 ? Buffer.alloc(64 * 1024, at) : null))
  const { enter, heldBytes } = await harnessFor(() => ({ guest }))
  const peer = await enter()
  peer.socket.pause()
  let before = -1
  await waitFor(() => before === (before = guest.sentChunks()), {
    everyMs: 150,
    what: 'the transfer to stop',
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

test('a peer that disappears silently is detected, and its pipe and slot are released', async () => {
  const guest = silent()
  const { enter, consoles, left } = await harnessFor(() => ({ guest }), { pingMs: 50 })
  const peer = await enter()
  await waitFor(() => consoles.sockets() === 1)
  // No byte is read or answered any more, and no close frame is sent.
  peer.socket.pause()
  await waitFor(() => consoles.sockets() === 0, { what: 'the loss to be detected' })
  expect([guest.isClosed, left]).toEqual([true, ['left']])
})

test('an idle console is closed, and a busy one stays open', async () => {
  const [idle, busy] = [silent(), silent()]
  let slot = 0
  const { enter } = await harnessFor(
    () => ({ guest: slot === 0 ? idle : busy, consoleKey: `serial ${slot++}` }),
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

test('a client that has lost its permission is disconnected with the reason', async () => {
  const checks = ['ended', 'changed', 'good'] as const
  let slot = 0
  const { enter, consoles } = await harnessFor(() => {
    const check = checks[slot % 3] ?? 'good'
    return {
      guest: silent(),
      consoleKey: `serial ${slot++}`,
      checkCredential: () => Promise.resolve(check),
    }
  })
  const peers = [await enter(), await enter(), await enter()]
  await waitFor(() => consoles.sockets() === 3)
  await consoles.recheck()
  expect([await peers[0]?.closeCode(), await peers[1]?.closeCode(), peers[2]?.closed]).toEqual([
    4401,
    4403,
    null,
  ])
})

test('a former client of a console is closed with 4409, and a client beyond the limit is refused', async () => {
  const guests: Guest[] = []
  const { enter, consoles } = await harnessFor(
    () => ({ guest: guests[guests.push(silent()) - 1]! }),
    {
      socketsPerUser: 2,
    },
  )
  const first = await enter()
  await waitFor(() => consoles.sockets() === 1)
  const second = await enter()
  expect(await first.closeCode()).toBe(4409)
  expect(guests.map(({ isClosed }) => isClosed)).toEqual([true, false])
  const [third, fourth] = [await enter(), await enter()]
  await waitFor(() => [second, third, fourth].filter(({ closed }) => closed !== null).length >= 2, {
    what: 'all but one to be closed',
  })
  expect([second, third, fourth].filter(({ closed }) => closed === null)).toHaveLength(1)
})

test('a client that is connected when the server stops is closed with 1001', async () => {
  const guest = silent()
  const { enter, consoles } = await harnessFor(() => ({ guest }))
  const peer = await enter()
  await waitFor(() => consoles.sockets() === 1)
  await consoles.stop()
  expect(await peer.closeCode()).toBe(1001)
  expect(guest.isClosed).toBe(true)
})

test('a console that cannot be opened reports its reason, and one that ends reports why', async () => {
  const [refused, ended] = ['stopped', 'moved'] as const
  const closed = guestSending(() => null)
  closed.close()
  let turn = 0
  const { enter } = await harnessFor(() =>
    turn++ === 0
      ? { guest: closed, open: () => Promise.resolve(refused) }
      : { guest: closed, endReason: () => Promise.resolve(ended) },
  )
  expect([await (await enter()).closeCode(), await (await enter()).closeCode()]).toEqual([
    4410, 4411,
  ])
})
