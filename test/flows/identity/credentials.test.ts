import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { changePassword } from '../../../server/src/usecases/identity/change-password.ts'
import { createApiKey } from '../../../server/src/usecases/identity/create-api-key.ts'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { deleteUser } from '../../../server/src/usecases/identity/delete-user.ts'
import { login } from '../../../server/src/usecases/session/login.ts'
import { revokeApiKey } from '../../../server/src/usecases/identity/revoke-api-key.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { platformOptions } from '../../support/engine/world.ts'
import {
  type IdentityWorld,
  type IdentityServer,
  adminPassword,
  anIdentityWorld,
  rootPassword,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let server: IdentityServer
let tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>

beforeAll(async () => {
  world = await anIdentityWorld()
  server = await world.aServer()
  tenant = await world.aTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const origin = {
  requestId: 'r',
  address: '127.0.0.1',
  userAgent: 'test',
  device: null,
  kind: 'token' as const,
  operation: 'login',
}
const logIn = (username: string, password: string) =>
  login(server.identity, { ...origin, username, password })

async function aUser(roleName = 'tenant.operator') {
  const username = `u-${randomUUID().slice(0, 8)}`
  const { user } = await world.as(tenant.admin, (op) =>
    createUser(op, { username, password: 'a fine password', roleName }),
  )
  const opened = await logIn(username, 'a fine password')
  return {
    user,
    token: opened.token,
    sessionId: opened.session.id,
    viewer: await world.viewerOf(username),
  }
}

describe('tokens for scripts', () => {
  test('a login returns a token with the configured lifetime and lists the permissions of its owner', async () => {
    const opened = await logIn(`${tenant.slug}-admin`, adminPassword)
    expect(opened.permissions).toContain('users:write')
    const leftSeconds = (Date.parse(opened.expiresAt) - Date.now()) / 1000
    expect(Math.abs(leftSeconds - 3600)).toBeLessThan(5)
    const observed = await server.viewerFor(opened.token)
    expect(observed.body).toMatchObject({
      username: `${tenant.slug}-admin`,
      role: 'tenant_admin',
      tenantId: tenant.id,
      credential: 'token',
    })
  })

  test('the authorization scheme ignores case, and X-API-Key also carries a token', async () => {
    const { token } = await logIn('root', rootPassword)
    expect(
      (await server.call('GET', '/whoami', { headers: { authorization: `bEARER ${token}` } })).body[
        'username'
      ],
    ).toBe('root')
    expect(
      (await server.call('GET', '/whoami', { headers: { 'x-api-key': token } })).body['username'],
    ).toBe('root')
    expect((await server.call('GET', '/whoami')).body).toMatchObject({
      username: 'anonymous',
      credential: 'none',
    })
  })

  test.each(['token', 'access_token', 'api_key'])(
    'a valid token in the query parameter %s is refused',
    async (name) => {
      const { token } = await logIn('root', rootPassword)
      const answer = await server.call('GET', `/whoami?${name}=${token}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
      expect(answer.text).not.toContain(token)
    },
  )
})

describe('API keys', () => {
  test('an API key has the known format, is stored as a hash, and acts for its owner', async () => {
    const { viewer } = await aUser()
    const { apiKey, secret: text } = await world.as(viewer, (op) =>
      createApiKey(op, { name: ' ci ', expiresInDays: 30, scopes: ['vms:read'] }),
    )
    expect(text).toMatch(/^vfd_live_[0-9a-f]{8}_[0-9a-f]{48}$/)
    expect(apiKey).toMatchObject({
      name: 'ci',
      scopes: ['vms:read'],
      username: viewer.username,
      lastUsedAt: null,
      revokedAt: null,
    })
    expect(JSON.stringify(await world.database.sql('select * from api_key'))).not.toContain(
      text.slice(-48),
    )
    const observed = await server.viewerFor(text)
    expect(observed.body).toMatchObject({
      username: viewer.username,
      credential: 'api_key',
      credentialId: apiKey.id,
      permissions: ['vms:read'],
    })
  })

  test('a new API key lives as long as the installation allows when it asks for no time, and never longer', async () => {
    const { viewer } = await aUser()
    const daysOf = async (expiresInDays: number | null, maxDays: number | null) => {
      const { apiKey } = await world.as(viewer, (op) =>
        createApiKey(op, { name: 'ci', expiresInDays }, maxDays),
      )
      const { createdAt, expiresAt } = apiKey
      return expiresAt && Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000)
    }
    expect(await daysOf(null, null)).toBeNull()
    expect(await daysOf(null, 30)).toBe(30)
    expect(await daysOf(7, 30)).toBe(7)
    await expect(daysOf(31, 30)).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('the use of an API key is recorded at most once a minute', async () => {
    const { viewer } = await aUser()
    const { apiKey, secret: text } = await world.as(viewer, (op) =>
      createApiKey(op, { name: 'ci' }),
    )
    await server.viewerFor(text)
    const first = await world.store.reads({ tenantId: tenant.id }).apiKeys.find(apiKey.id)
    expect(first).toMatchObject({ lastUsedAt: expect.any(String), version: apiKey.version })
    await (await world.aServer()).viewerFor(text)
    expect(
      (await world.store.reads({ tenantId: tenant.id }).apiKeys.find(apiKey.id))?.lastUsedAt,
    ).toBe(first?.lastUsedAt)
  })

  test('an API key is refused when a character is wrong or when it expired or was revoked', async () => {
    const { viewer } = await aUser()
    const make = () => world.as(viewer, (op) => createApiKey(op, { name: 'ci' }))
    const [wrong, ended, revoked] = [await make(), await make(), await make()]
    await world.database.sql(
      `update api_key set expires_at = now() - interval '1 second' where id = '${ended.apiKey.id}'`,
    )
    await world.as(viewer, (op) => revokeApiKey(op, { id: revoked.apiKey.id }))
    const other = wrong.secret.endsWith('0') ? '1' : '0'
    for (const text of [wrong.secret.slice(0, -1) + other, ended.secret, revoked.secret]) {
      expect((await server.viewerFor(text)).status).toBe(401)
    }
    expect((await server.viewerFor(wrong.secret)).status).toBe(200)
  })
})

describe('the tenant that a request names', () => {
  test('root alone acts in another tenant, which must exist', async () => {
    const root = await logIn('root', rootPassword)
    const { token } = await aUser()
    const named = (credential: string, value: string) =>
      server.viewerFor(credential, { 'x-tenant-id': value })
    expect((await named(root.token, tenant.id)).body).toMatchObject({
      tenantId: tenant.id,
      tenantNamed: true,
      permissions: ['*'],
    })
    expect((await named(root.token, tenant.slug)).body).toMatchObject({ tenantId: tenant.id })
    expect(await named(root.token, randomUUID())).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect(await named(root.token, "' or 1=1 --")).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
    expect((await named(token, tenant.id.toUpperCase())).body).toMatchObject({
      tenantId: tenant.id,
      tenantNamed: true,
    })
    const absent = await named(token, randomUUID())
    const foreign = await named(token, 'default')
    expect([absent.status, foreign.status]).toEqual([403, 403])
    expect(foreign.body['code']).toBe('tenant_forbidden')
    expect(foreign.body['detail']).toBe(absent.body['detail'])
  })
})

describe('revoking credentials', () => {
  const revocations: [string, (who: Awaited<ReturnType<typeof aUser>>) => Promise<unknown>][] = [
    [
      'disabling the user',
      ({ user }) =>
        world.as(tenant.admin, (op) => updateUser(op, { id: user.id, state: 'disabled' })),
    ],
    [
      'assigning another role',
      async ({ user }) =>
        world.as(tenant.admin, (op) =>
          updateUser(op, { id: user.id, roleId: '00000000-0000-4000-8000-000000000004' }),
        ),
    ],
    [
      'deleting the user',
      ({ user }) => world.as(tenant.admin, (op) => deleteUser(op, { id: user.id })),
    ],
    [
      'changing the password',
      ({ viewer }) =>
        changePassword(
          server.identity,
          {
            viewer,
            scope: { tenantId: tenant.id },
            operation: 'changePassword',
            requestId: 'r',
            address: '127.0.0.1',
            idempotency: null,
          },
          { currentPassword: 'a fine password', newPassword: 'another fine one' },
        ),
    ],
  ]

  test.concurrent.each(revocations)(
    '%s ends the sessions at once where the change is known, and elsewhere within five seconds',
    async (_way, take) => {
      const who = await aUser()
      const otherServer = await world.aServer()
      expect([
        (await server.viewerFor(who.token)).status,
        (await otherServer.viewerFor(who.token)).status,
      ]).toEqual([200, 200])
      await take(who)
      const takenAt = performance.now()
      const [change] = await world.database.sql(
        `select kind, object_id from change_log where object_id = '${who.user.id}' order by id desc limit 1`,
      )
      server.viewers.invalidate(String(change!['kind']), String(change!['object_id']))
      expect((await server.viewerFor(who.token)).status).toBe(401)
      await expect
        .poll(async () => (await otherServer.viewerFor(who.token)).status, {
          timeout: 6_000,
          interval: 100,
        })
        .toBe(401)
      expect(performance.now() - takenAt).toBeLessThan(5_000)
    },
  )

  test('a disabled user cannot log in, and their API keys stop working', async () => {
    const who = await aUser()
    const { secret: text } = await world.as(who.viewer, (op) => createApiKey(op, { name: 'ci' }))
    expect((await server.viewerFor(text)).status).toBe(200)
    await world.as(tenant.admin, (op) => updateUser(op, { id: who.user.id, state: 'disabled' }))
    server.viewers.invalidate('user', who.user.id)
    expect((await server.viewerFor(text)).status).toBe(401)
    await expect(logIn(who.user.username, 'a fine password')).rejects.toMatchObject({
      code: 'invalid_credentials',
    })
  })

  test('a server that follows the change log ends the sessions within two seconds', async () => {
    const pool = new pg.Pool({
      connectionString: world.database.url,
      options: platformOptions,
      ...inAppRole,
      max: 4,
    })
    const feed = await startChangeFeed({
      kinds: allChangeKinds,
      pool,
      connection: { connectionString: world.database.url, options: platformOptions },
      clock: systemClock,
      log: createLog('silent'),
    })
    const changes = feed.hub.subscribe({ scope: 'platform', kinds: ['user'] })
    void (async () => {
      for await (const delivery of changes)
        if (!delivery.gap) server.viewers.invalidate(delivery.change.kind, delivery.change.objectId)
    })()
    const who = await aUser()
    expect((await server.viewerFor(who.token)).status).toBe(200)
    await world.as(tenant.admin, (op) => updateUser(op, { id: who.user.id, state: 'disabled' }))
    const takenAt = performance.now()
    await expect
      .poll(async () => (await server.viewerFor(who.token)).status, { timeout: 3_000, interval: 5 })
      .toBe(401)
    expect(performance.now() - takenAt).toBeLessThan(2_000)
    changes.close()
    await feed.stop()
    await pool.end()
  })

  test('a cached credential needs no query and no signature check', async () => {
    const { token } = await logIn('root', rootPassword)
    const url = new URL('http://berth/graphql')
    const headers = { authorization: `Bearer ${token}` }
    const first = await server.viewers.viewerOf(headers, url)
    const started = performance.now()
    for (let turn = 0; turn < 2_000; turn++)
      expect(await server.viewers.viewerOf(headers, url)).toBe(first)
    expect((performance.now() - started) / 2_000).toBeLessThan(0.5)
  })
})
