import { request } from 'node:http'
import { type WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'
import { waitFor } from '../../support/wait-for.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({
    limits: { connectionInitMs: 2_000 },
    allowedOrigins: (host) => [`http://${host}`, 'https://app.example'],
  })
})
afterAll(() => world[Symbol.asyncDispose]())

/** Returns the status with which a handshake with these headers ends. */
function handshake(headers: Record<string, string>, path = '/graphql'): Promise<number> {
  const upgrade = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-protocol': 'graphql-transport-ws',
  }
  return new Promise((resolve, reject) => {
    const upgradeRequest = request(`${world.url}${path}`, {
      headers: { ...upgrade, ...headers },
      timeout: 5_000,
    })
    upgradeRequest.on('response', (response) => resolve(response.statusCode ?? 0))
    upgradeRequest.on('upgrade', (response, stream) => {
      stream.destroy()
      resolve(response.statusCode ?? 0)
    })
    upgradeRequest.on('error', reject)
    upgradeRequest.end()
  })
}

test.each([
  ['https://app.example', 101, 'the origin is allowed'],
  ['https://app.example.evil', 403, 'the suffix makes it another site'],
  ['https://evil.app.example', 403, 'the prefix makes it another site'],
  ['http://app.example', 403, 'the scheme differs'],
  ['https://app.example:444', 403, 'the port differs'],
  ['https://evil.example', 403, 'the origin is foreign'],
  ['null', 403, 'a sandboxed frame sends null'],
  ['', 403, 'the origin is empty'],
])('a page of %s gets %i at the handshake: %s', async (origin, status) => {
  expect(await handshake({ origin })).toBe(status)
})

test('a page of the same host and a client that is no browser are admitted, and other paths do not exist', async () => {
  expect(await handshake({ origin: world.url })).toBe(101)
  expect(await handshake({})).toBe(101)
  expect(await handshake({}, '/graphql/more')).toBe(404)
  expect(await handshake({ 'sec-websocket-version': '7' })).toBe(400)
})

const subscribe = {
  id: '1',
  type: 'subscribe',
  payload: { query: 'subscription { changes { cursor } }' },
}

test.each<[string, number, (peer: GraphqlSocketClient) => unknown]>([
  ['the client sends nothing', 4408, () => undefined],
  [
    'the token is wrong',
    4401,
    (peer) => peer.send({ type: 'connection_init', payload: { authorization: 'Bearer nonsense' } }),
  ],
  ['there is no token', 4401, (peer) => peer.send({ type: 'connection_init' })],
  [
    'the token is not a string',
    4401,
    (peer) => peer.send({ type: 'connection_init', payload: { authorization: ['Bearer root'] } }),
  ],
  ['the client subscribes before it is authenticated', 4401, (peer) => peer.send(subscribe)],
  ['the client sends no JSON', 4400, (peer) => peer.socket.send('{')],
  ['the client sends an unknown type', 4400, (peer) => peer.send({ type: 'start', id: '1' })],
  [
    'the client sends binary data',
    1003,
    (peer) => peer.socket.send(Buffer.from('{"type":"connection_init"}')),
  ],
  [
    'the client sends broken UTF-8',
    1007,
    (peer) => peer.socket.send(Buffer.from([0xc3, 0x28]), { binary: false }),
  ],
  [
    'the client sends more than 64 KiB',
    1009,
    (peer) => peer.send({ type: 'ping', payload: { text: 'x'.repeat(64 * 1024) } }),
  ],
])('the socket is closed when %s: %i', async (_, code, act) => {
  const peer = await GraphqlSocketClient.open(world.url)
  act(peer)
  expect(await peer.closeCode()).toBe(code)
  await waitFor(() => world.socket.sockets() === 0, { what: 'the socket to be forgotten' })
})

test.each<[string, number, (peer: GraphqlSocketClient) => unknown]>([
  [
    'authenticates twice',
    4429,
    (peer) => peer.send({ type: 'connection_init', payload: { authorization: 'Bearer root' } }),
  ],
  ['uses an id twice', 4409, (peer) => [peer.send(subscribe), peer.send(subscribe)]],
  ['uses an id of a kilobyte', 4400, (peer) => peer.send({ ...subscribe, id: 'x'.repeat(1_024) })],
  [
    'sends deeply nested variables',
    4400,
    (peer) =>
      peer.send({ ...subscribe, payload: { ...subscribe.payload, variables: { v: nested(50) } } }),
  ],
])('an authenticated client is closed when it %s: %i', async (_, code, act) => {
  const peer = await GraphqlSocketClient.login(world.url)
  act(peer)
  expect(await peer.closeCode()).toBe(code)
})

function nested(height: number): unknown {
  return height === 0 ? 1 : [nested(height - 1)]
}

test('every wrong credential is refused with the same message', async () => {
  const reasons = new Set<string>()
  for (const params of [
    { authorization: 'Bearer x' },
    { authorization: 'Basic x' },
    { authorization: '' },
  ]) {
    const peer = await GraphqlSocketClient.login(world.url, { params })
    await peer.closeCode()
    reasons.add(peer.closed?.reason ?? '')
  }
  expect([...reasons]).toEqual(['Unauthorized'])
})

test('another protocol is closed with 4406, and compression is never negotiated', async () => {
  const other = await GraphqlSocketClient.open(world.url, { protocol: 'graphql-ws' })
  expect([4406, 1006]).toContain(await other.closeCode())
  const peer = await GraphqlSocketClient.login(world.url, { options: { perMessageDeflate: true } })
  expect(peer.socket.extensions).toBe('')
  peer.leave()
})

test('a flood of messages or pings is closed with 4429, and the burst of a page load is accepted', async () => {
  const page = await GraphqlSocketClient.login(world.url)
  for (let count = 0; count < 45; count += 1) page.send({ type: 'ping' })
  await waitFor(() => page.messages.filter(({ type }) => type === 'pong').length === 45)
  for (let count = 0; count < 60; count += 1) page.send({ type: 'ping' })
  expect(await page.closeCode()).toBe(4429)

  const pinger = await GraphqlSocketClient.login(world.url)
  for (let count = 0; count < 120; count += 1) pinger.socket.ping()
  expect(await pinger.closeCode()).toBe(4429)
})

test('a socket that starts its 51st operation is closed with 4429', async () => {
  const peer = await GraphqlSocketClient.login(world.url)
  for (let count = 0; count < 50; count += 1) peer.send({ ...subscribe, id: `s${count}` })
  expect(await peer.ask('{ platform { name } }')).toBeUndefined()
  expect(await peer.closeCode()).toBe(4429)
})

test('the 11th socket of a user is closed with 4429, and a closed socket makes room', async () => {
  const { token } = await world.aTenant()
  const peers = await Promise.all(
    Array.from({ length: 10 }, () => GraphqlSocketClient.login(world.url, { token })),
  )
  const late = await GraphqlSocketClient.login(world.url, { token })
  expect(await late.closeCode()).toBe(4429)
  peers[0]?.leave()
  await waitFor(async () => {
    const again = await GraphqlSocketClient.login(world.url, { token })
    return again.closed === null
  })
  for (const peer of peers) peer.leave()
})

test('the sockets of a tenant are limited across all of its users', async () => {
  await using small = await aGraphWorld({ limits: { socketsPerTenant: 3 } })
  const { token } = await small.aTenant()
  for (let count = 0; count < 3; count += 1)
    expect(
      (await GraphqlSocketClient.login(small.url, { token: small.anotherToken(token) })).closed,
    ).toBeNull()
  const late = await GraphqlSocketClient.login(small.url, { token: small.anotherToken(token) })
  expect(await late.closeCode()).toBe(4429)
})

test('unauthenticated connections are limited before they are accepted', async () => {
  await using small = await aGraphWorld({ limits: { unauthenticatedSockets: 2 } })
  await GraphqlSocketClient.open(small.url)
  await GraphqlSocketClient.open(small.url)
  const third = await GraphqlSocketClient.open(small.url)
  expect(third.closed?.code).toBe(1006)
  expect(small.socket.sockets()).toBe(2)
})

test('unauthenticated connections of one network are limited until they log in', async () => {
  await using small = await aGraphWorld({ limits: { unauthenticatedPerNetwork: 2 } })
  const known = await GraphqlSocketClient.login(small.url)
  const silent = [
    await GraphqlSocketClient.open(small.url),
    await GraphqlSocketClient.open(small.url),
  ]
  expect((await GraphqlSocketClient.open(small.url)).closed?.code).toBe(1006)
  expect([known, ...silent].map(({ closed }) => closed)).toEqual([null, null, null])
  silent[0]?.leave()
  await waitFor(() => small.socket.sockets() === 2, { what: 'the silent socket to be closed' })
  expect((await GraphqlSocketClient.login(small.url)).closed).toBeNull()
})

test('the end of the process closes the sockets with 1001', async () => {
  const short = await aGraphWorld()
  const peer = await GraphqlSocketClient.login(short.url)
  peer.subscribe('subscription { changes { cursor } }')
  await short[Symbol.asyncDispose]()
  expect(await peer.closeCode()).toBe(1001)
})

test('a silent client is disconnected, with all of its subscriptions', async () => {
  await using quick = await aGraphWorld({ limits: { pingMs: 400 } })
  const alive = await GraphqlSocketClient.login(quick.url)
  const peer = await GraphqlSocketClient.login(quick.url)
  const id = peer.subscribe('subscription { changes(kinds: [user]) { cursor } }')
  await waitFor(() => quick.socket.executions() === 1)
  // The connection behaves as behind a firewall that has dropped it: nothing is read, so nothing is
  // answered.
  streamOf(peer.socket).pause()
  await waitFor(() => quick.socket.sockets() === 1, { what: 'the dead peer to be freed' })
  expect(quick.socket.executions()).toBe(0)
  expect(quick.feed.hub.subscriptions()).toBe(0)
  expect(peer.of(id)).toEqual([])
  expect(alive.closed).toBeNull()
})

function streamOf(socket: WebSocket): { pause(): void } {
  // The client's own connection, which ws does not expose.
  return (socket as unknown as { _socket: { pause(): void } })._socket
}
