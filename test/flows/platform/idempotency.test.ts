import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  type FixtureContext,
  fixtureOf,
  mutations,
} from '../../support/requests/request-fixtures.ts'
import { once } from '../../support/once.ts'
import { type FixtureRequest } from '../../support/requests/request-fixture.ts'
import { everyRow } from '../../support/world/database-state.ts'
import { aWorld, adminPassword, unique } from '../../support/world/world.ts'

let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant() }
})

const keyed = (key: string) => ({ 'idempotency-key': key })

describe.each(mutations())('%s with an Idempotency-Key', (row, act) => {
  const sendOnce = ({ path, body }: FixtureRequest, headers: Record<string, string> = {}) =>
    fixtureOf
      .caller(act, context)
      .rest(fixtureOf.method(row), path, { ...(body ? { body } : {}), headers })
  // Both tests of a mutation use one key and its first request.
  const sent = once(async () => {
    const request = await act.arrange(context)
    const headers = keyed(unique('key'))
    const send = () => sendOnce(request, headers)
    const answers = await Promise.all(Array.from({ length: 16 }, send))
    return { request, headers, answers, late: await send() }
  })

  test('a mutation that is sent 17 times with one key runs once and gets the same answer', async () => {
    const { answers, late } = await sent()
    // The first request is still running, or the caller may not have more exports at once.
    const isBusy = ({ status }: { status: number }) => status === 503 || status === 429
    const busy = answers.filter(isBusy)
    expect(
      busy.map(({ headers: replyHeaders }) => Number(replyHeaders['retry-after']) > 0),
    ).toEqual(busy.map(() => true))
    const texts = new Set(
      [...answers.filter((each) => !isBusy(each)), late].map(
        ({ status, text }) => `${status} ${text}`,
      ),
    )
    expect([...texts]).toHaveLength(1)
    expect(late.status).toBe(act.status)
    const allowed = await context.world.database.sql(
      `select count(*)::int as n from idempotency_key where created_at > now() - interval '1 minute' and answer is not null`,
    )
    expect(Number(allowed[0]?.n)).toBeGreaterThan(0)
  })

  test('a key that is reused for another request is refused and changes nothing', async () => {
    const { request: first, headers, late } = await sent()
    const second = await act.arrange(context)
    if ((!first.body || first.isOnlyBody) && first.path === second.path) return
    expect(late.status).toBe(act.status)
    const other =
      first.body &&
      JSON.stringify(first.body) === JSON.stringify(second.body) &&
      first.path === second.path
        ? { ...second, body: { ...second.body, name: unique('other') } }
        : second
    const answer = await sendOnce(other, headers)
    expect([answer.status, answer.body?.code]).toEqual([409, 'idempotency_conflict'])
    const fresh = await sendOnce(other)
    expect(fresh.status).toBe(act.status)
  })
})

describe('idempotency keys', () => {
  test('an idempotency key belongs to one actor, one tenant and one operation', async () => {
    const { world, tenant } = context
    const other = await world.tenant()
    const headers = keyed(unique('key'))
    const body = { name: unique('role'), permissions: [] }
    const colleague = await tenant.as('admin')
    const made = [
      await tenant.admin.rest('POST', '/roles', { body, headers }),
      await colleague.rest('POST', '/roles', { body: { ...body, name: unique('r') }, headers }),
      await other.admin.rest('POST', '/roles', { body: { ...body, name: unique('r') }, headers }),
      await world.root
        .with({ 'x-tenant-id': tenant.id })
        .rest('POST', '/roles', { body: { ...body, name: unique('r') }, headers }),
      await world.root
        .with({ 'x-tenant-id': other.id })
        .rest('POST', '/roles', { body: { ...body, name: unique('r') }, headers }),
      await tenant.admin.rest('POST', '/users', {
        body: { username: unique('u'), password: adminPassword },
        headers,
      }),
    ]
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201))
    expect(new Set(made.map(({ body: reply }) => (reply.role ?? reply.user).id)).size).toBe(
      made.length,
    )
  })

  test('an idempotency key whose first request was refused is free for the corrected request', async () => {
    const { admin } = context.tenant
    const headers = keyed(unique('key'))
    const name = unique('role')
    expect(
      (await admin.rest('POST', '/roles', { body: { name, permissions: ['nonsense'] }, headers }))
        .status,
    ).toBe(400)
    expect(
      (
        await admin.rest('POST', '/roles', {
          body: { name, permissions: ['tenants:write'] },
          headers,
        })
      ).status,
    ).toBe(403)
    expect(
      (await admin.rest('POST', '/roles', { body: { name, permissions: [] }, headers })).status,
    ).toBe(201)
    expect(
      (await admin.rest('POST', '/roles', { body: { name, permissions: [] }, headers })).status,
    ).toBe(201)
  })

  test('an idempotency key is shared by REST and GraphQL', async () => {
    const { admin } = context.tenant
    const headers = keyed(unique('key'))
    const name = unique('role')
    const document =
      'mutation ($input: CreateRoleInput!) { createRole(input: $input) { role { id } } }'
    const first = await admin.graphql(document, { input: { name, permissions: [] } }, headers)
    expect(
      (await admin.graphql(document, { input: { name, permissions: [] } }, headers)).data,
    ).toEqual(first.data)
    expect(
      (await admin.graphql(document, { input: { name: unique('x'), permissions: [] } }, headers))
        .code,
    ).toBe('idempotency_conflict')
  })

  test('an idempotency key with an invalid length is refused', async () => {
    for (const key of ['', 'k'.repeat(201)])
      expect([
        key.length,
        (
          await context.tenant.admin.rest('POST', '/roles', {
            body: { name: unique('r'), permissions: [] },
            headers: keyed(key),
          })
        ).status,
      ]).toEqual([key.length, 400])
  })

  test('an idempotency key of createApiKey returns the same secret, which the database never has in clear', async () => {
    const { admin } = context.tenant
    const headers = keyed(unique('key'))
    const body = { name: unique('secret') }
    const [first, second] = [
      await admin.rest('POST', '/api-keys', { body, headers }),
      await admin.rest('POST', '/api-keys', { body, headers }),
    ]
    expect(second.body).toEqual(first.body)
    expect(
      (await context.world.wire.client(second.body.secret).rest('GET', '/auth/me')).status,
    ).toBe(200)
    const { secret } = first.body
    const rows = [...(await everyRow(context.world.database)).values()].join('\n')
    for (const form of [
      secret,
      secret.slice(-48),
      Buffer.from(secret).toString('hex'),
      Buffer.from(secret).toString('base64'),
    ])
      expect(rows.includes(form)).toBe(false)
    expect(rows).toContain(first.body.api_key.prefix)
  })
})
