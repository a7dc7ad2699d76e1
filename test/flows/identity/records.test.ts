import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { type Fault } from '../../../server/src/engine/model/fault.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import {
  resetRootPassword,
  seedIdentity,
} from '../../../server/src/store/identity/seed-identity.ts'
import {
  sweepLoginAttempts,
  sweepSessions,
} from '../../../server/src/store/identity/session-sweep.ts'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { login } from '../../../server/src/usecases/session/login.ts'
import { platformOptions } from '../../support/engine/world.ts'
import {
  type IdentityWorld,
  anIdentityWorld,
  rootPassword,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>
let other: Awaited<ReturnType<IdentityWorld['aTenant']>>

beforeAll(async () => {
  world = await anIdentityWorld()
  tenant = await world.aTenant()
  other = await world.aTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const unique = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`
const password = 'a fine password'
const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'allowed',
    (error: unknown) => (error as Fault).code,
  )

describe('the audit log', () => {
  test('the audit log shows a tenant the actions of root and of its own users, refused ones too', async () => {
    const server = await world.aServer()
    const root = await world.root(tenant.id)
    const username = unique('u')
    await world.as(root, (op) => createUser(op, { username, password }))
    const origin = {
      requestId: 'r',
      address: '10.0.0.9',
      userAgent: '',
      device: null,
      kind: 'token' as const,
      operation: 'login',
    }
    await login(server.identity, { ...origin, username, password })
    await codeOf(login(server.identity, { ...origin, username, password: 'not the password' }))
    const { auditEvents } = world.store.reads({ tenantId: tenant.id })
    const byRoot = await auditEvents.list({ first: 10, after: null }, { actorName: 'ROOT' })
    expect(byRoot.nodes[0]).toMatchObject({
      byPlatform: true,
      actorRole: 'root',
      targetName: username,
      outcome: 'allowed',
    })
    const logins = await auditEvents.list(
      { first: 10, after: null },
      { actorName: username, operation: 'login' },
    )
    expect(
      logins.nodes.map(({ outcome, code, byPlatform, address }) => ({
        outcome,
        code,
        byPlatform,
        address,
      })),
    ).toEqual([
      { outcome: 'refused', code: 'invalid_credentials', byPlatform: false, address: '10.0.0.9' },
      { outcome: 'allowed', code: null, byPlatform: false, address: '10.0.0.9' },
    ])
    expect(await auditEvents.count({ outcome: 'refused' })).toBeGreaterThan(0)
  })

  test('a login with an unknown name is visible to the platform only', async () => {
    const server = await world.aServer()
    const username = unique('unknown')
    const attempt = {
      requestId: 'r',
      address: '10.0.0.8',
      userAgent: '',
      device: null,
      kind: 'token' as const,
      operation: 'login',
      username,
      password,
    }
    expect(await codeOf(login(server.identity, attempt))).toBe('invalid_credentials')
    const count = (scope: Parameters<typeof world.store.reads>[0]) =>
      world.store.reads(scope).auditEvents.count({ actorName: username })
    expect([
      await count('platform'),
      await count({ tenantId: tenant.id }),
      await count({ tenantId: other.id }),
    ]).toEqual([1, 0, 0])
  })
})

describe('seeds', () => {
  const log = createLog('silent')
  const loginAsRoot = async (chosenPassword: string) => {
    const server = await world.aServer()
    const attempt = {
      requestId: 'r',
      address: '10.0.0.7',
      userAgent: '',
      device: null,
      kind: 'token' as const,
      operation: 'login',
      username: 'root',
    }
    return codeOf(login(server.identity, { ...attempt, password: chosenPassword }))
  }

  test('a second start creates nothing, and another root password in the environment only warns', async () => {
    const warnings: string[] = []
    const listening = createLog('warn', { write: (line) => void warnings.push(line) })
    const before = await world.database.sql(
      'select id, version from role where is_system order by id',
    )
    const again = await seedIdentity(world.store, {
      rootPassword: new Secret('quite another password'),
      log: listening,
    })
    expect(again.generatedRootPassword).toBeNull()
    expect(warnings).toEqual([expect.stringContaining('BERTH_ROOT_PASSWORD')])
    expect(warnings.join()).not.toContain('quite another')
    expect(
      await world.database.sql('select id, version from role where is_system order by id'),
    ).toEqual(before)
    expect(await loginAsRoot(rootPassword)).toBe('allowed')
  })

  test('a start restores the name and the permissions of each system role', async () => {
    const roles = 'select id, name, permissions from role where is_system order by id'
    const before = await world.database.sql(roles)
    await world.database.sql(
      `update role set name = 'former.' || name, permissions = '{vms:read}' where is_system`,
    )
    await seedIdentity(world.store, { rootPassword: null, log })
    expect(await world.database.sql(roles)).toEqual(before)
  })

  test('a short password for root is refused', async () => {
    await expect(
      seedIdentity(world.store, { rootPassword: new Secret('short'), log }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('concurrent first starts create one root, and only its creator shows the password', async () => {
    await using fresh = await anIdentityWorld()
    await fresh.database.sql('truncate tenant, role cascade')
    const made = await Promise.all(
      [1, 2, 3].map(() => seedIdentity(fresh.store, { rootPassword: null, log })),
    )
    const shown = made.flatMap(({ generatedRootPassword }) => generatedRootPassword ?? [])
    expect(shown).toHaveLength(1)
    expect(String(shown[0])).toBe('[redacted]')
    expect(await fresh.database.sql('select username from user_account')).toEqual([
      { username: 'root' },
    ])
    expect(await fresh.database.sql('select slug from tenant')).toEqual([{ slug: 'default' }])
    const server = await fresh.aServer()
    const opened = await server.call('POST', '/auth/session', {
      body: { username: 'root', password: shown[0]!.reveal() },
    })
    expect(opened.status).toBe(200)
  })

  test('a new root password of the operator ends the sessions of root', async () => {
    const { password: next } = await resetRootPassword(world.store, null)
    expect(await loginAsRoot(rootPassword)).toBe('invalid_credentials')
    expect(await loginAsRoot(next.reveal())).toBe('allowed')
    const open = await world.database.sql(
      `select 1 from session s join user_account u on u.id = s.user_id where u.username = 'root' and s.revoked_at is null`,
    )
    expect(open).toHaveLength(1)
  })
})

test('sessions that ended and idle login counters are removed in batches', async () => {
  const server = await world.aServer()
  for (let turn = 0; turn < 3; turn++)
    await server.call('POST', '/auth/session', { body: { username: 'root', password: 'wrong' } })
  await world.database.sql(`insert into session (id, tenant_id, user_id, kind, expires_at)
    select gen_random_uuid(), tenant_id, id, 'token', now() - days * interval '1 day' from user_account, generate_series(1, 3) as days where username = 'root'`)
  await world.database.sql(
    `insert into login_throttle (key, last_at) select sha256(n::text::bytea), now() - n * interval '1 hour' from generate_series(2, 4) as n`,
  )
  const pool = new pg.Pool({
    connectionString: world.database.url,
    options: platformOptions,
    ...inAppRole,
    max: 1,
  })
  const age = { olderThanMs: 36 * 3_600_000, batch: 1 }
  expect([
    await sweepSessions(pool, age),
    await sweepSessions(pool, age),
    await sweepSessions(pool, age),
  ]).toEqual([1, 1, 0])
  expect(await sweepLoginAttempts(pool, { olderThanMs: 3_600_000, batch: 10 })).toBe(3)
  expect((await world.database.sql('select 1 from login_throttle')).length).toBeGreaterThan(0)
  await pool.end()
})
