import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeChange } from '../../support/engine/change-log.ts'
import { type Message, GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type GraphWorld, aGraphWorld } from '../../support/world/graphql-world.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Json } from '../../support/json.ts'

let world: GraphWorld
beforeAll(async () => {
  world = await aGraphWorld({ limits: { recheckMs: 200, socketsPerUser: 1_000 } })
})
afterAll(() => world[Symbol.asyncDispose]())

const changes =
  'subscription ($after: String, $kinds: [ChangeKind!]) { changes(after: $after, kinds: $kinds) { cursor kind objectId tenantId version gap } }'
const changesOf = (messages: readonly Message[]): Json[] =>
  messages.map(({ payload }) => payload.data.changes)

/** Subscribes, and returns when the subscription is active: all later changes must arrive. */
async function listening(
  peer: GraphqlSocketClient,
  variables: Record<string, unknown> = {},
): Promise<string> {
  const id = peer.subscribe(changes, variables)
  // The server starts messages in the order of sending, and starting a subscription waits for
  // nothing.
  await peer.ask('{ platform { name } }')
  return id
}

test('a client that is disconnected repeatedly misses nothing, receives nothing twice and never goes back', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const objects = Array.from({ length: 20 }, () => randomUUID())
  const received: Json[] = []
  let after: string | undefined
  const writing = (async () => {
    for (let version = 1; version <= 20; version += 1)
      for (const objectId of objects) await writeChange(world.pool, { tenantId, objectId, version })
  })()
  // The first cursor is the beginning of the log, so earlier changes are received too.
  after = '0.0'
  const isDone = (): boolean =>
    new Set(received.filter(({ version }) => version === 20).map(({ objectId }) => objectId))
      .size === objects.length
  for (let round = 0; !isDone() && round < 200; round += 1) {
    const peer = await GraphqlSocketClient.login(world.url, { token })
    const id = peer.subscribe(changes, { after, kinds: ['tenant'] })
    await waitFor(
      () =>
        peer.of(id).length >= 15 ||
        isDone() ||
        changesOf(peer.of(id)).some(({ version }) => version === 20),
      {
        what: 'some changes',
      },
    )
    if (round > 150) throw new Error('the client makes no progress')
    peer.leave()
    const batch = changesOf(peer.of(id))
    received.push(...batch)
    after = batch.at(-1)?.cursor ?? after
  }
  await writing
  for (const objectId of objects) {
    const versions = received
      .filter((change) => change.objectId === objectId)
      .map(({ version }) => version as number)
    expect(versions, 'only forward, each once').toEqual(
      [...new Set(versions)].sort((a, b) => a - b),
    )
    expect(versions.at(-1)).toBe(20)
  }
})

test('an object in a change event can be read at that version or a later one', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const peer = await GraphqlSocketClient.login(world.url, { token })
  const id = await listening(peer, { kinds: ['operation'] })
  const operationId = await anOperation(tenantId)
  for (let version = 2; version <= 10; version += 1)
    await advance(operationId, tenantId, { version })
  const reader = await GraphqlSocketClient.login(world.url, { token })
  await waitFor(() => changesOf(peer.of(id)).some(({ version }) => version === 10))
  for (const { objectId, version } of changesOf(peer.of(id))) {
    const { data } = await reader.ask('query ($id: ID!) { operation(id: $id) { version } }', {
      id: objectId,
    })
    expect(data.operation.version).toBeGreaterThanOrEqual(version)
  }
  peer.leave()
  reader.leave()
})

test('twenty tenants receive their own changes and those of the platform, never those of each other', async () => {
  const tenants = await Promise.all(Array.from({ length: 20 }, () => world.aTenant()))
  const peers = await Promise.all(
    tenants.map(async ({ id: tenantId, token }, index) => {
      const peer = await GraphqlSocketClient.login(world.url, { token })
      // Half of them have an execution of their own, and half share one.
      const id = await listening(peer, index % 2 ? { after: '0.0' } : {})
      return { peer, id, tenantId }
    }),
  )
  const canaries = new Map(tenants.map(({ id }) => [id, randomUUID()]))
  await Promise.all(
    [...canaries].map(([tenantId, objectId]) =>
      writeChange(world.pool, { tenantId, objectId, kind: 'operation' }),
    ),
  )
  const common = await writeChange(world.pool, { tenantId: null, kind: 'service_offering' })
  for (const { peer, id, tenantId } of peers) {
    await waitFor(() => JSON.stringify(peer.of(id)).includes(common))
    const received = JSON.stringify(peer.messages)
    for (const [owner, canary] of canaries)
      expect(received.includes(canary), `${tenantId} about ${owner}`).toBe(owner === tenantId)
    peer.leave()
  }
})

test('root receives the changes of all tenants', async () => {
  const [one, other] = [await world.aTenant(), await world.aTenant()]
  const peer = await GraphqlSocketClient.login(world.url)
  const id = await listening(peer)
  const [a, b] = [
    await writeChange(world.pool, { tenantId: one.id }),
    await writeChange(world.pool, { tenantId: other.id }),
  ]
  await waitFor(() => JSON.stringify(peer.of(id)).includes(b))
  expect(JSON.stringify(peer.of(id))).toContain(a)
  peer.leave()
})

test('changes of users and roles are received only by users who may read them', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const admin = world.viewers.get(token)
  if (!admin) throw new Error('the world has no viewer for this tenant')
  world.viewers.set('viewer', { ...admin, role: 'user', permissions: new Set(['vms:read']) })
  const [reader, viewer] = [
    await GraphqlSocketClient.login(world.url, { token }),
    await GraphqlSocketClient.login(world.url, { token: 'viewer' }),
  ]
  const [readerId, viewerId] = [await listening(reader), await listening(viewer)]
  const user = await writeChange(world.pool, { tenantId, kind: 'user' })
  const last = await writeChange(world.pool, { tenantId, kind: 'tenant' })
  await waitFor(() =>
    [reader.of(readerId), viewer.of(viewerId)].every((messages) =>
      JSON.stringify(messages).includes(last),
    ),
  )
  expect(JSON.stringify(reader.of(readerId))).toContain(user)
  expect(JSON.stringify(viewer.of(viewerId))).not.toContain(user)
  reader.leave()
  viewer.leave()
})

test('an operation subscription sends the current state and each change until the operation ends', async () => {
  const { id: tenantId, token } = await world.aTenant()
  const operationId = await anOperation(tenantId)
  const peer = await GraphqlSocketClient.login(world.url, { token })
  const id = peer.subscribe('subscription ($id: ID!) { operation(id: $id) { id state version } }', {
    id: operationId,
  })
  await peer.next(id, 1)
  await advance(operationId, tenantId, { version: 2 })
  await peer.next(id, 2)
  await anOperation(tenantId)
  await advance(operationId, tenantId, { version: 3, state: 'succeeded' })
  await waitFor(() => peer.of(id).some(({ type }) => type === 'complete'))
  const reported = peer.of(id).flatMap(({ payload }) => (payload ? [payload.data.operation] : []))
  expect(reported).toEqual([
    { id: operationId, state: 'pending', version: 1 },
    { id: operationId, state: 'running', version: 2 },
    { id: operationId, state: 'succeeded', version: 3 },
  ])
  await waitFor(() => world.feed.hub.subscriptions() === 0, {
    what: 'its subscription to be closed',
  })
  peer.leave()
})

test('a foreign operation and a missing one are refused with the same message, and leave nothing behind', async () => {
  const [own, other] = [await world.aTenant(), await world.aTenant()]
  const foreign = await anOperation(other.id)
  const peer = await GraphqlSocketClient.login(world.url, { token: own.token })
  const answers = []
  for (const id of [foreign, randomUUID(), 'nonsense']) {
    const { errors } = await peer.ask('subscription ($id: ID!) { operation(id: $id) { id } }', {
      id,
    })
    answers.push({ ...errors[0], extensions: { ...errors[0].extensions, requestId: 'any' } })
  }
  expect(answers[0].extensions.code).toBe('not_found')
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  await waitFor(() => world.feed.hub.subscriptions() === 0, { what: 'no subscription to be left' })
  peer.leave()
})

test('a malformed cursor is refused with its field', async () => {
  const peer = await GraphqlSocketClient.login(world.url)
  const { errors } = await peer.ask(changes, { after: 'nonsense' })
  expect(errors[0].extensions).toMatchObject({ code: 'invalid_input', fields: [{ path: 'after' }] })
  peer.leave()
})

test.each([
  ['revoked', 4401, (token: string) => world.viewers.delete(token)],
  [
    'restricted',
    4403,
    (token: string) =>
      world.viewers.set(token, {
        ...world.viewers.get(token)!,
        permissions: new Set(['vms:read']),
      }),
  ],
])(
  'a credential that is %s during a subscription closes the socket with %i',
  async (_, code, act) => {
    const { id: tenantId, token } = await world.aTenant()
    const [peer, neighbour] = [
      await GraphqlSocketClient.login(world.url, { token }),
      await GraphqlSocketClient.login(world.url, { token: world.anotherToken(token) }),
    ]
    const id = await listening(peer)
    act(token)
    expect(await peer.closeCode()).toBe(code)
    await writeChange(world.pool, { tenantId })
    expect(peer.of(id)).toEqual([])
    expect(neighbour.closed).toBeNull()
    neighbour.leave()
  },
)

test('an operation on a socket whose credential was just revoked does not run', async () => {
  const { token } = await world.aTenant()
  const peer = await GraphqlSocketClient.login(world.url, { token })
  world.viewers.delete(token)
  expect(await peer.ask('{ platform { name } }')).toBeUndefined()
  expect(await peer.closeCode()).toBe(4401)
})

async function anOperation(tenantId: string): Promise<string> {
  const id = randomUUID()
  await world.pool.query(
    `with op as (insert into operation (id, tenant_id, kind, target_kind, target_id, target_name, actor_id, actor_name, request_id, deadline)
       values ($1, $2, 'create_tenant', 'tenant', $2, 'x', $1, 'x', 'r', now() + interval '1 h'))
     insert into change_log (tenant_id, kind, object_id, version) values ($2, 'operation', $1, 1)`,
    [id, tenantId],
  )
  return id
}

async function advance(
  id: string,
  tenantId: string,
  { version, state = 'running' }: { version: number; state?: string },
): Promise<void> {
  await world.pool.query(
    `update operation set state = $2, finished_at = case when $2 = 'running' then null else now() end where id = $1`,
    [id, state],
  )
  await writeChange(world.pool, { tenantId, objectId: id, kind: 'operation', version })
}
