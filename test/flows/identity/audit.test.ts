import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  type FixtureContext,
  fixtureOf,
  routeFixtures,
  settledMutations,
} from '../../support/requests/request-fixtures.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { stateAtRest, stateHash } from '../../support/world/database-state.ts'
import { aWorld, adminPassword, rootPassword, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let context: FixtureContext
const refused = new Map<string, Client>()
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant() }
  refused.set('admin', context.tenant.admin)
  for (const role of ['operator', 'viewer'] as const)
    refused.set(role, await context.tenant.as(role))
})

/** Returns the audit rows of the calls with this request id. */
const rowsOf = (requestId: string): Promise<Record<string, unknown>[]> =>
  context.world.database.sql(`select * from audit_event where request_id = '${requestId}'`)
const named = (requestId: string) => ({ 'x-request-id': requestId })

describe.each(settledMutations())('%s', (row, act) => {
  test('an allowed or refused mutation of a user leaves exactly one audit row, and a refused one changes nothing', async () => {
    const { world, tenant } = context
    const request = await act.arrange(context)
    const body = request.body ? { body: request.body } : {}
    const refuse = async (): Promise<void> => {
      const none = unique('anonymous')
      expect(
        (
          await world.anonymous.rest(fixtureOf.method(row), request.path, {
            ...body,
            headers: named(none),
          })
        ).status,
      ).toBe(401)
      expect(await rowsOf(none), 'a stranger cannot fill the audit log').toEqual([])
      if (act.refused) {
        const id = unique('weak')
        expect(
          (
            await refused
              .get(act.refused)!
              .rest(fixtureOf.method(row), request.path, { ...body, headers: named(id) })
          ).status,
        ).toBe(403)
        expect(await rowsOf(id)).toMatchObject([
          { outcome: 'refused', code: 'forbidden', tenant_id: tenant.id },
        ])
      }
      if (row.includes('{')) {
        const id = unique('absent')
        expect(
          (
            await fixtureOf
              .caller(act, context)
              .rest(fixtureOf.method(row), fixtureOf.absent(row, request.path), {
                ...body,
                headers: named(id),
              })
          ).status,
        ).toBe(404)
        expect(await rowsOf(id)).toMatchObject([{ outcome: 'refused', code: 'not_found' }])
      }
    }
    // A worker may record something between the two hashes, so the check is repeated.
    const touchesNothing = async (): Promise<boolean> => {
      const before = await stateAtRest(world.database)
      await refuse()
      return (await stateHash(world.database)) === before
    }
    await waitFor(touchesNothing, { timeoutMs: 8_000, what: 'refused calls to touch nothing' })
    const id = unique('good')
    const answer = await fixtureOf
      .caller(act, context)
      .rest(fixtureOf.method(row), request.path, { ...body, headers: named(id) })
    expect(answer.status).toBe(act.status)
    const [audited, ...more] = await rowsOf(id)
    expect(more).toEqual([])
    expect(audited).toMatchObject({
      outcome: 'allowed',
      code: null,
      actor_role: act.by === 'root' ? 'root' : 'tenant_admin',
      credential: 'token',
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
    })
    expect([audited?.target_kind, audited?.target_id, audited?.target_name]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.any(String),
    ])
  })
})

test('an allowed cancellation of an operation leaves exactly one audit row', async () => {
  const route = 'POST /api/v1/operations/{id}/cancel'
  const fixture = routeFixtures[route] ?? expect.unreachable(route)
  const { path } = await fixture.arrange(context)
  const id = unique('cancel')
  const answer = await context.tenant.admin.rest('POST', path, { headers: named(id) })
  expect(answer.status).toBe(200)
  expect(await rowsOf(id)).toMatchObject([
    { outcome: 'allowed', operation: 'cancelOperation', target_kind: 'operation' },
  ])
})

describe('mutations outside the REST table', () => {
  test('logins, password changes and GraphQL-only mutations leave audit rows', async () => {
    const { world, tenant } = context
    const user = unique('audited')
    await tenant.admin.rest('POST', '/users', { body: { username: user, password: adminPassword } })
    const login = async (username: string, password: string): Promise<unknown> => {
      const id = unique('login')
      await world.anonymous.rest('POST', '/auth/login', {
        body: { username, password },
        headers: named(id),
      })
      return (await rowsOf(id)).map(({ actor_name, operation, outcome, code, tenant_id }) => [
        actor_name,
        operation,
        outcome,
        code,
        tenant_id,
      ])
    }
    expect(await login(user, adminPassword)).toEqual([[user, 'login', 'allowed', null, tenant.id]])
    expect(await login(user, 'wrong password')).toEqual([
      [user, 'login', 'refused', 'invalid_credentials', tenant.id],
    ])
    expect(await login('no-such-user', 'wrong password')).toMatchObject([
      ['no-such-user', 'login', 'refused', 'invalid_credentials', null],
    ])
    const change =
      'mutation ($i: ChangePasswordInput!) { changePassword(input: $i) { user { id } } }'
    const client = await world.login(user, adminPassword)
    for (const [currentPassword, outcome] of [
      ['wrong password', 'refused'],
      [adminPassword, 'allowed'],
    ] as const) {
      const id = unique('password')
      await client.graphql(
        change,
        { i: { currentPassword, newPassword: 'another long one' } },
        named(id),
      )
      expect(await rowsOf(id)).toMatchObject([
        { actor_name: user, operation: 'changePassword', outcome },
      ])
    }
    const id = unique('update')
    await world.root.graphql(
      'mutation ($id: ID!) { updateTenant(input: { id: $id, description: "x" }) { tenant { id } } }',
      { id: tenant.id },
      named(id),
    )
    expect(await rowsOf(id)).toMatchObject([
      {
        operation: 'updateTenant',
        outcome: 'allowed',
        target_id: tenant.id,
        tenant_id: tenant.id,
        actor_name: 'root',
      },
    ])
  })

  test('each mutation of a document has its own audit row, even when another one is refused', async () => {
    const { tenant } = context
    const id = unique('several')
    const [a, b] = [unique('a'), unique('b')]
    await tenant.admin.graphql(
      `mutation { a: createRole(input: { name: "${a}", permissions: [] }) { role { id } } x: createRole(input: { name: "${a}", permissions: [] }) { role { id } } b: createRole(input: { name: "${b}", permissions: [] }) { role { id } } }`,
      {},
      named(id),
    )
    expect((await rowsOf(id)).map(({ outcome }) => outcome).sort()).toEqual(
      expect.arrayContaining(['allowed', 'refused']),
    )
    const { roles } = (await tenant.admin.rest('GET', '/roles')).body
    const made = roles.filter(({ name }: Json) => [a, b].includes(name)).length
    expect((await rowsOf(id)).filter(({ outcome }) => outcome === 'allowed')).toHaveLength(made)
  })
})

test('reads leave no audit row', async () => {
  const { world } = context
  for (const [row, act] of Object.entries(routeFixtures).filter(
    ([name]) => fixtureOf.method(name) === 'GET',
  )) {
    const id = unique('read')
    const request = await act.arrange(context)
    await fixtureOf.caller(act, context).rest('GET', request.path, { headers: named(id) })
    expect([row, await rowsOf(id)]).toEqual([row, []])
  }
  expect((await world.login('root', rootPassword)).token).not.toBe('')
})
