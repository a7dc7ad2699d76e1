import { beforeAll, expect, test } from 'vitest'
import { type Client } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  type World,
  type WorldTenant,
  adminPassword,
  aWorld,
  unique,
} from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant('acme')
})

const fields = 'nodes { id username kind userAgent isCurrent lastUsedAt expiresAt }'
const sessionsOf = async (client: Client): Promise<Json[]> =>
  (await client.ask(`{ sessions(first: 200) { totalCount ${fields} } }`)).sessions.nodes
const end = (client: Client, id: string) =>
  client.graphql('mutation ($i: EndSessionInput!) { endSession(input: $i) { session { id } } }', {
    i: { id },
  })

async function aUser(role_name = 'tenant.viewer'): Promise<{ username: string; login: Client }> {
  const username = unique('user')
  const made = await tenant.admin.rest('POST', '/users', {
    body: { username, password: adminPassword, role_name },
  })
  expect(made.status).toBe(201)
  return { username, login: await world.login(username, adminPassword) }
}

/** Viewers are cached for a moment, so a token may work that long after its end. */
const refused = (client: Client): Promise<void> =>
  waitFor(async () => (await client.rest('GET', '/auth/me')).status === 401, {
    what: 'the token to be refused',
  })

test('a user lists its own logins, newest first, and the one of the request is marked', async () => {
  const { username, login } = await aUser()
  const second = await world.login(username, adminPassword)
  const listed = await sessionsOf(second)
  expect(listed.map(({ username, kind, isCurrent }) => ({ username, kind, isCurrent }))).toEqual([
    { username, kind: 'token', isCurrent: true },
    { username, kind: 'token', isCurrent: false },
  ])
  expect((await login.rest('GET', '/sessions')).body.sessions).toHaveLength(2)
})

test('a user ends another login of its own, which stops working at once', async () => {
  const { username, login } = await aUser()
  const second = await world.login(username, adminPassword)
  const [, first] = await sessionsOf(second)
  expect((await end(second, first!.id)).code).toBeNull()
  await refused(login)
  expect(await sessionsOf(second)).toHaveLength(1)
  expect((await end(second, first!.id)).code).toBe('not_found')
})

test('an administrator lists and ends logins of other users, which other users cannot', async () => {
  const [one, other] = [await aUser(), await aUser()]
  const [{ id }] = (await sessionsOf(other.login)) as [Json]
  expect((await end(one.login, id)).code).toBe('not_found')
  expect((await sessionsOf(tenant.admin)).map((each) => each.id)).toContain(id)
  expect((await end(tenant.admin, id)).code).toBeNull()
  await refused(other.login)
})

test('an administrator with fewer permissions cannot end the login of one with more', async () => {
  const { secret } = (
    await tenant.admin.rest('POST', '/api-keys', {
      body: { name: 'narrow', scopes: ['users:read', 'users:write'] },
    })
  ).body
  const own = (await sessionsOf(tenant.admin)).find(({ isCurrent }) => isCurrent)
  const answer = await world.wire.send('DELETE', `/api/v1/sessions/${own!.id}`, {
    headers: { 'x-api-key': secret },
  })
  expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await tenant.admin.rest('GET', '/auth/me')).status).toBe(200)
})

test('root lists and ends the logins of a tenant that it names', async () => {
  const { login } = await aUser()
  const [{ id }] = (await sessionsOf(login)) as [Json]
  const root = world.root.with({ 'x-tenant-id': tenant.id })
  expect((await sessionsOf(root)).map((each) => each.id)).toContain(id)
  expect((await end(root, id)).code).toBeNull()
  await refused(login)
})

test('a logout over REST ends the login of its token and leaves an audit row', async () => {
  const { username, login } = await aUser()
  expect((await login.rest('POST', '/auth/logout')).status).toBe(204)
  await refused(login)
  const {
    audit_events: [row],
  } = (await tenant.admin.rest('GET', '/audit-events?operation=logout')).body
  expect(row).toMatchObject({ operation: 'logout', target_kind: 'session', target_name: username })
})

test('an API key has no login to end', async () => {
  const { secret } = (await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci' } })).body
  const answer = await world.wire.send('POST', '/api/v1/auth/logout', {
    headers: { 'x-api-key': secret },
  })
  expect(answer).toMatchObject({ status: 409, body: { code: 'wrong_state' } })
})

test('the use of a token is recorded once a minute', async () => {
  const { login } = await aUser()
  const [{ id }] = (await sessionsOf(login)) as [Json]
  const age = (minutes: number) =>
    world.database.sql(
      `update session set last_used_at = now() - interval '${minutes} minutes' where id = '${id}'`,
    )
  const lastUse = async (): Promise<number> =>
    Date.parse((await sessionsOf(login)).find((each) => each.id === id)!.lastUsedAt)
  await age(5)
  await waitFor(async () => Date.now() - (await lastUse()) < 60_000, {
    what: 'the use to be recorded',
  })
  const recorded = await lastUse()
  expect(await lastUse()).toBe(recorded)
})

test('expired logins are not listed', async () => {
  const { username, login } = await aUser()
  const second = await world.login(username, adminPassword)
  const [, { id }] = (await sessionsOf(second)) as [Json, Json]
  await world.database.sql(`update session set expires_at = now() where id = '${id}'`)
  expect(await sessionsOf(second)).toHaveLength(1)
  await refused(login)
})
