import { randomUUID } from 'node:crypto'
import { type WebSocket } from 'ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeChange } from '../../support/engine/change-log.ts'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Json } from '../../support/json.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ limits: { socketsPerUser: 1_000, closeMs: 200 } })
})
afterAll(() => world[Symbol.asyncDispose]())

const fields = 'cursor kind objectId tenantId version gap'
const changes = `subscription { changes { ${fields} } }`
const payloads = (peer: GraphqlSocketClient, id: string): unknown[] =>
  peer.of(id).flatMap(({ type, payload }) => (type === 'next' ? [payload] : []))

async function listening(
  peer: GraphqlSocketClient,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<string> {
  const id = peer.subscribe(query, variables)
  // The server starts messages in the order of sending, and starting a subscription waits for
  // nothing.
  await peer.ask('{ platform { name } }')
  return id
}

test('a shared execution sends each member the same as an execution of its own', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const peers = await Promise.all(
    Array.from({ length: 5 }, () =>
      GraphqlSocketClient.login(world.url, { token: world.anotherToken(token) }),
    ),
  )
  const ids = await Promise.all(peers.map((peer) => listening(peer, changes)))
  // Directives on the root field give a subscription an execution of its own.
  const alone = await GraphqlSocketClient.login(world.url, { token })
  const own = await listening(alone, `subscription { changes @include(if: true) { ${fields} } }`)
  expect(world.socket.executions()).toBe(1)
  expect(world.feed.hub.subscriptions()).toBe(2)
  for (let count = 0; count < 50; count += 1)
    await writeChange(world.pool, {
      tenantId: count % 5 ? tenantId : null,
      kind: count % 5 ? 'tenant' : 'service_offering',
    })
  await alone.next(own, 50)
  for (const [index, peer] of peers.entries()) {
    await peer.next(ids[index] ?? '', 50)
    expect(payloads(peer, ids[index] ?? '')).toEqual(payloads(alone, own))
  }
  for (const peer of [...peers, alone]) peer.leave()
  await waitFor(() => world.socket.executions() === 0 && world.feed.hub.subscriptions() === 0, {
    what: 'the source to end with its last member',
  })
})

test('callers with other rights, documents or variables do not share an execution', async () => {
  const [one, other] = [await world.aTenant(), await world.aTenant()]
  const [a, b, root] = [
    await GraphqlSocketClient.login(world.url, { token: one.token }),
    await GraphqlSocketClient.login(world.url, { token: other.token }),
    await GraphqlSocketClient.login(world.url),
  ]
  const withKinds = 'subscription ($kinds: [ChangeKind!]) { changes(kinds: $kinds) { cursor } }'
  for (const peer of [a, b, root]) await listening(peer, changes)
  expect(world.socket.executions()).toBe(3)
  await listening(a, withKinds, { kinds: ['user'] })
  await listening(a, withKinds, { kinds: ['tenant'] })
  await listening(a, withKinds, { kinds: ['tenant'] })
  expect(world.socket.executions()).toBe(5)
  for (const peer of [a, b, root]) peer.leave()
  await waitFor(() => world.socket.executions() === 0)
})

const resumed = `subscription ($after: String) { changes(after: $after) { ${fields} } }`

/** Resolves when the hub has delivered the change to the peer. */
async function delivered(objectId: string, peer: GraphqlSocketClient, id: string): Promise<void> {
  await waitFor(() => JSON.stringify(payloads(peer, id)).includes(objectId), {
    what: 'the change to be delivered',
  })
}

test('clients that resume from different cursors share an execution when they have missed nothing', async () => {
  const [{ id: tenantId, token }, foreign] = [await world.aTenant(), await world.aTenant()]
  const root = await GraphqlSocketClient.login(world.url)
  const watched = await listening(root, changes)
  const first = await GraphqlSocketClient.login(world.url, { token })
  const begun = await first.ask('{ changeCursor }')
  const firstId = await listening(first, resumed, { after: begun.data.changeCursor })
  await delivered(await writeChange(world.pool, { tenantId: foreign.id }), root, watched)
  const second = await GraphqlSocketClient.login(world.url, { token: world.anotherToken(token) })
  const later = await second.ask('{ changeCursor }')
  expect(later.data.changeCursor).not.toBe(begun.data.changeCursor)
  const secondId = await listening(second, resumed, { after: later.data.changeCursor })
  // No change of its own has happened since, so an older cursor is equally good.
  const third = await GraphqlSocketClient.login(world.url, { token: world.anotherToken(token) })
  const thirdId = await listening(third, resumed, { after: begun.data.changeCursor })
  expect(world.socket.executions()).toBe(2)
  const objectId = await writeChange(world.pool, { tenantId })
  for (const [peer, id] of [
    [first, firstId],
    [second, secondId],
    [third, thirdId],
  ] as const) {
    await delivered(objectId, peer, id)
    expect(payloads(peer, id)).toEqual(payloads(first, firstId))
  }
  for (const peer of [root, first, second, third]) peer.leave()
  await waitFor(() => world.socket.executions() === 0)
})

test('a client that has missed changes gets them from an execution of its own, and other members get no repeat', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const [here, late] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token: world.anotherToken(token) }),
  ]
  const { data } = await here.ask('{ changeCursor }')
  const hereId = await listening(here, resumed, { after: data.changeCursor })
  const missed = await writeChange(world.pool, { tenantId })
  await delivered(missed, here, hereId)
  const lateId = await listening(late, resumed, { after: data.changeCursor })
  await delivered(missed, late, lateId)
  expect(world.socket.executions()).toBe(1)
  const both = await writeChange(world.pool, { tenantId })
  await delivered(both, here, hereId)
  await delivered(both, late, lateId)
  expect(payloads(here, hereId)).toHaveLength(2)
  expect(payloads(late, lateId)).toEqual(payloads(here, hereId))
  for (const peer of [here, late]) peer.leave()
  await waitFor(() => world.socket.executions() === 0)
})

test('a member that completes leaves, and the other members continue', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const [leaver, stayer] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token }),
  ]
  const [left, stayed] = [await listening(leaver, changes), await listening(stayer, changes)]
  leaver.send({ id: left, type: 'complete' })
  await leaver.ask('{ platform { name } }')
  await writeChange(world.pool, { tenantId })
  await stayer.next(stayed)
  await leaver.ask('{ platform { name } }')
  expect(leaver.of(left)).toEqual([])
  // The id is free again.
  leaver.send({ id: left, type: 'subscribe', payload: { query: changes } })
  await leaver.ask('{ platform { name } }')
  await writeChange(world.pool, { tenantId })
  await leaver.next(left)
  expect(leaver.closed).toBeNull()
  for (const peer of [leaver, stayer]) peer.leave()
  await waitFor(() => world.socket.executions() === 0)
})

test('a shared subscription with invalid arguments is refused for its caller alone', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const [right, wrong] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token }),
  ]
  const query = `subscription ($kinds: [ChangeKind!]) { changes(kinds: $kinds) { ${fields} } }`
  const id = await listening(right, query, { kinds: ['tenant'] })
  const { errors } = await wrong.ask(query, { kinds: ['nonsense'] })
  expect(errors[0].extensions.code).toBe('invalid_input')
  await writeChange(world.pool, { tenantId })
  await right.next(id)
  for (const peer of [right, wrong]) peer.leave()
})

/** A query with about two kilobytes for each change, so that network buffers are soon full. */
const wide = `subscription { changes { ${fields} ${Array.from(
  { length: 30 },
  (_, index) => `a${index}: cursor b${index}: objectId`,
)
  .slice(0, 15)
  .join(' ')} } }`

test('a reader that stops costs a bounded queue and then its socket, and affects no other reader', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const [reader, sleeper] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token }),
  ]
  const [read] = [await listening(reader, wide), await listening(sleeper, wide)]
  pause(sleeper.socket)
  const [before, sockets] = [process.memoryUsage().rss, world.socket.sockets()]
  for (let round = 0; round < 30 && world.socket.sockets() === sockets; round += 1) {
    await world.database.sql(`insert into change_log (tenant_id, kind, object_id, version)
      select '${tenantId}', 'tenant', gen_random_uuid(), 1 from generate_series(1, 500)`)
    const last = await writeChange(world.pool, { tenantId })
    await waitFor(() => JSON.stringify(reader.messages.at(-1)).includes(last), {
      timeoutMs: 10_000,
      what: 'the reader to receive the change',
    })
  }
  await waitFor(() => world.socket.sockets() < sockets, { what: 'the sleeper to be disconnected' })
  expect(reader.closed).toBeNull()
  expect(payloads(reader, read).length).toBeGreaterThan(500)
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024)
  reader.leave()
  await waitFor(() => world.socket.executions() === 0 && world.feed.hub.subscriptions() === 0)
})

test('a reader that pauses while a few objects change gets the last version of each when it resumes', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const [reader, sleeper] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token }),
  ]
  const [read, slept] = [await listening(reader, wide), await listening(sleeper, wide)]
  const stream = pause(sleeper.socket)
  // The changes exceed the network buffers, but have fewer objects than the queue holds.
  const [objects, versions] = [Array.from({ length: 150 }, () => randomUUID()), 100]
  await world.database.sql(`insert into change_log (tenant_id, kind, object_id, version)
    select '${tenantId}', 'tenant', o::uuid, n from generate_series(1, ${versions}) n, unnest('{${objects.join()}}'::text[]) o`)
  const end = await writeChange(world.pool, { tenantId })
  await waitFor(() => JSON.stringify(reader.messages.at(-1)).includes(end), { timeoutMs: 10_000 })
  stream.resume()
  await waitFor(() => JSON.stringify(sleeper.messages.at(-1)).includes(end), {
    timeoutMs: 10_000,
    what: 'the sleeper to catch up',
  })
  for (const [peer, id] of [
    [reader, read],
    [sleeper, slept],
  ] as const) {
    const received = (payloads(peer, id) as Json[]).map(({ data }) => data.changes)
    for (const objectId of objects)
      expect(received.filter((change) => change.objectId === objectId).at(-1).version).toBe(
        versions,
      )
  }
  expect(sleeper.closed).toBeNull()
  for (const peer of [reader, sleeper]) peer.leave()
})

function pause(socket: WebSocket): { resume(): void } {
  // The client's own connection, which ws does not expose.
  const stream = (socket as unknown as { _socket: { pause(): void; resume(): void } })._socket
  stream.pause()
  return stream
}
