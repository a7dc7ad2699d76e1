import { beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { GraphqlSocketClient } from '../../support/clients/graphql-client.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, adminPassword, unique } from '../../support/world/world.ts'

const requests = 50
const tryLater = 1013

let world: World
beforeAll(async () => {
  world = await aWorld({
    worker: false,
    config: ({ api }) => (api.rateLimit = { requests, seconds: 3_600 }),
  })
})

async function newUser(): Promise<Client> {
  const username = unique('user')
  const body = { username, password: adminPassword, role_name: 'tenant.viewer' }
  expect((await world.root.rest('POST', '/users', { body })).status).toBe(201)
  return world.login(username, adminPassword)
}

/** Sends a request and returns how many its caller has left. */
async function remaining(client: Client): Promise<number> {
  return Number((await client.rest('GET', '/auth/me')).headers['x-ratelimit-remaining'])
}

async function useUp(client: Client): Promise<void> {
  while ((await client.rest('GET', '/auth/me')).status !== 429);
}

const viewer = '{ viewer { username } }'

/** Sends an operation and returns the code of its error, or null. */
async function operationOn(socket: GraphqlSocketClient): Promise<string | null> {
  const id = socket.subscribe(viewer)
  await waitFor(() => socket.of(id).length > 0, { what: 'the answer to the operation' })
  const [{ type, payload } = { type: '' }] = socket.of(id)
  return type === 'error' ? payload[0].extensions.code : null
}

/** Opens a socket by its path. Returns the HTTP status of a refusal, or the close code. */
function outcomeOf(path: string): Promise<number> {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}${path}`)
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode))
    socket.on('close', (code) => resolve(code))
    socket.on('error', () => undefined)
  })
}

describe('the budget of a user', () => {
  test('a GraphQL socket and each operation on it count in the budget of the user', async () => {
    const user = await newUser()
    const before = await remaining(user)
    const socket = await GraphqlSocketClient.login(world.url, { token: user.token })
    for (let count = 0; count < 10; count += 1) expect(await operationOn(socket)).toBeNull()
    // The socket, ten operations, and the request that asks.
    expect(await remaining(user)).toBe(before - 12)
    socket.socket.close()
  })

  test('a budget that a socket used up refuses HTTP requests', async () => {
    const user = await newUser()
    const left = await remaining(user)
    const socket = await GraphqlSocketClient.login(world.url, { token: user.token })
    for (let count = 0; count < left - 1; count += 1) expect(await operationOn(socket)).toBeNull()
    const answer = await user.rest('GET', '/auth/me')
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests'])
    socket.socket.close()
  })

  test('a budget that HTTP requests used up refuses operations on open sockets, new sockets, and events', async () => {
    const user = await newUser()
    const socket = await GraphqlSocketClient.login(world.url, { token: user.token })
    const { ticket } = (await user.rest('POST', '/events-ticket')).body
    await useUp(user)
    expect(await operationOn(socket)).toBe('too_many_requests')
    expect(socket.closed).toBeNull()
    const another = await GraphqlSocketClient.login(world.url, { token: user.token })
    await waitFor(() => another.closed !== null, { what: 'the other socket to close' })
    expect(another.closed?.code).toBe(tryLater)
    expect(await outcomeOf(`/ws/events?ticket=${ticket}`)).toBe(429)
    socket.socket.close()
  })
})

describe('the budget of an address', () => {
  test('a socket without a valid credential counts in the budget of its address', async () => {
    const before = await remaining(world.anonymous)
    const socket = await GraphqlSocketClient.login(world.url, { token: 'nobody' })
    await waitFor(() => socket.closed !== null, { what: 'the socket to close' })
    expect(socket.closed?.code).toBe(4401)
    expect(await outcomeOf('/ws/events?ticket=none')).toBe(401)
    expect(await outcomeOf('/ws/console?ticket=none')).toBe(4401)
    expect(await remaining(world.anonymous)).toBe(before - 4)
  })

  test('an address whose budget is used up opens sockets only with a valid credential', async () => {
    const user = await newUser()
    await useUp(world.anonymous)
    const socket = await GraphqlSocketClient.login(world.url, { token: 'nobody' })
    await waitFor(() => socket.closed !== null, { what: 'the socket to close' })
    expect(socket.closed?.code).toBe(tryLater)
    expect(await outcomeOf('/ws/events?ticket=none')).toBe(429)
    expect(await outcomeOf('/ws/console?ticket=none')).toBe(tryLater)
    const known = await GraphqlSocketClient.login(world.url, { token: user.token })
    expect(await operationOn(known)).toBeNull()
    known.socket.close()
  })
})
