import { beforeAll, describe, expect, test } from 'vitest'
import {
  type World,
  type WorldTenant,
  aWorld,
  adminPassword,
  unique,
} from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
})

const aUser = async (body: Record<string, unknown> = {}): Promise<Json> => {
  const username = unique('user')
  const answer = await tenant.admin.rest('POST', '/users', {
    body: { username, password: adminPassword, ...body },
  })
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)])
  return answer.body.user
}

describe('users', () => {
  test('a user is an operator by default, and otherwise has the current permissions of their role', async () => {
    expect((await aUser()).role_id).toBe('00000000-0000-4000-8000-000000000003')
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: unique('role'), permissions: ['vms:read'] },
      })
    ).body
    const user = await aUser({ role_id: role.id })
    const client = await world.login(user.username, adminPassword)
    expect((await client.rest('GET', '/auth/me')).body.permissions).toEqual(['vms:read'])
    expect((await client.rest('GET', '/users')).status).toBe(403)
    await tenant.admin.rest('PATCH', `/roles/${role.id}`, {
      body: { permissions: ['vms:read', 'users:read'] },
    })
    await expect
      .poll(async () => (await client.rest('GET', '/users')).status, { timeout: 30_000 })
      .toBe(200)
    expect((await tenant.admin.rest('DELETE', `/roles/${role.id}`)).status).toBe(409)
    expect((await tenant.admin.rest('DELETE', `/users/${user.id}`)).status).toBe(204)
    expect((await tenant.admin.rest('DELETE', `/roles/${role.id}`)).status).toBe(204)
  })

  test('a disabled or deleted user loses every credential within five seconds', async () => {
    for (const end of ['disable', 'delete']) {
      const user = await aUser()
      const client = await world.login(user.username, adminPassword)
      const { secret } = (await client.rest('POST', '/api-keys', { body: { name: 'ci' } })).body
      const key = world.wire.client(secret)
      expect((await key.rest('GET', '/auth/me')).status).toBe(200)
      if (end === 'disable')
        await tenant.admin.rest('PATCH', `/users/${user.id}`, { body: { state: 'disabled' } })
      else await tenant.admin.rest('DELETE', `/users/${user.id}`)
      for (const credential of [client, key])
        await expect
          .poll(async () => (await credential.rest('GET', '/auth/me')).status, { timeout: 30_000 })
          .toBe(401)
      expect(
        (
          await world.anonymous.rest('POST', '/auth/login', {
            body: { username: user.username, password: adminPassword },
          })
        ).status,
      ).toBe(401)
    }
  })

  test('a username is unique in its tenant and ignores case, even with 16 requests at once', async () => {
    const other = await world.tenant()
    const username = unique('name')
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (index % 2 ? tenant : other).admin.rest('POST', '/users', {
          body: {
            username: index % 3 ? username : username.toUpperCase(),
            password: adminPassword,
          },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      201,
      ...new Array(14).fill(409),
    ])
  })

  test('a user never gets more than their creator holds, nor a role of another tenant', async () => {
    const other = await world.tenant()
    const { role } = (
      await other.admin.rest('POST', '/roles', {
        body: { name: unique('theirs'), permissions: ['vms:read'] },
      })
    ).body
    const tries = [
      [{ role_id: '00000000-0000-4000-8000-000000000001' }, 403],
      [{ role_name: 'platform.root' }, 403],
      [{ role_id: role.id }, 404],
      [{ role_name: role.name }, 404],
      [{ password: 'short' }, 400],
      [{ email: 'no address' }, 400],
    ] as const
    for (const [wrong, status] of tries) {
      const answer = await tenant.admin.rest('POST', '/users', {
        body: { username: unique('x'), password: adminPassword, ...wrong },
      })
      expect([wrong, answer.status]).toEqual([wrong, status])
    }
  })
})

describe('roles', () => {
  test('a platform role is readable by all tenants and cannot be changed', async () => {
    for (const client of [tenant.admin, world.root])
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await client.rest(method, '/roles/00000000-0000-4000-8000-000000000004', {
          ...(method === 'PATCH' ? { body: { description: 'mine' } } : {}),
        })
        expect([method, [403, 404].includes(answer.status)]).toEqual([method, true])
      }
  })

  test('a role that 16 requests create under one name exists once', async () => {
    const body = { name: unique('race'), permissions: [] }
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.admin.rest('POST', '/roles', { body })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...new Array(15).fill(409)])
  })

  test('a role cannot be assigned and deleted at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { role } = (
        await tenant.admin.rest('POST', '/roles', {
          body: { name: unique('race'), permissions: [] },
        })
      ).body
      const [made, removed] = await Promise.all([
        tenant.admin.rest('POST', '/users', {
          body: { username: unique('u'), password: adminPassword, role_id: role.id },
        }),
        tenant.admin.rest('DELETE', `/roles/${role.id}`),
      ])
      expect([
        [201, 409],
        [404, 204],
        [409, 204],
      ]).toContainEqual([made.status, removed.status])
    }
  })
})

test('an API key is limited by its scopes, its owner and its expiry', async () => {
  const viewer = await tenant.as('viewer')
  expect(
    (await viewer.rest('POST', '/api-keys', { body: { name: 'ci', scopes: ['users:write'] } }))
      .status,
  ).toBe(403)
  const { secret, api_key: key } = (
    await tenant.admin.rest('POST', '/api-keys', {
      body: { name: 'ci', scopes: ['vms:read'], expires_in_days: 1 },
    })
  ).body
  expect(secret).toMatch(/^vfd_live_[0-9a-f]{8}_[0-9a-f]{48}$/)
  const client = world.wire.client(secret)
  expect((await client.rest('GET', '/service-offerings')).status).toBe(200)
  expect((await client.rest('GET', '/users')).status).toBe(403)
  await world.database.sql(
    `update api_key set expires_at = now() - interval '1 second' where id = '${key.id}'`,
  )
  await expect
    .poll(async () => (await client.rest('GET', '/service-offerings')).status, { timeout: 5_500 })
    .toBe(401)
})
