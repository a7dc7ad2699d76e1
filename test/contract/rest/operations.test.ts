import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import {
  type FixtureContext,
  fixtureOf,
  routeFixtures,
} from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { aWorld, unique } from '../../support/world/world.ts'

/* How a client follows what it started: the operation in a response, and a read that waits. */

let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant('acme') }
})
afterEach(() => planFailpoints(null))

/** No VPC becomes ready until the failpoint plan is lifted. */
const holdVpcs = (): void => planFailpoints({ rules: [{ at: 'create_vpc.*', do: 'error' }] })

const rest = (method: string, path: string, call = {}): Promise<WireAnswer> =>
  context.tenant.admin.rest(method, path, call)

const createVpc = (headers: Record<string, string> = {}): Promise<WireAnswer> =>
  rest('POST', '/vpcs', { body: { name: unique('vpc') }, headers })

/** The group of the fixture has no VM, so its rules need no operation. */
const withoutOperation = 'PATCH /api/v1/security-groups/{id}'

const operational = restRoutes
  .filter(({ accepted }) => accepted)
  .map(({ method, path }) => `${method} ${path}`)
  .filter((name) => name !== withoutOperation)

test.each(operational)('%s names the operation that it starts', async (name) => {
  const fixture = routeFixtures[name] ?? expect.unreachable(name)
  const { path, body } = await fixture.arrange(context)
  const client = fixtureOf.caller(fixture, context)
  const answer = await client.rest(fixtureOf.method(name), path, { body })
  expect([answer.status, answer.text]).toEqual([fixture.status, expect.any(String)])
  const location = String(answer.headers['operation-location'])
  expect(location).toMatch(/^\/api\/v1\/operations\/[-0-9a-f]{36}$/)
  expect((await client.rest('GET', location)).status).toBe(200)
})

test('a 202 has the operation as GET returns it, and the job of older clients', async () => {
  holdVpcs()
  const { status, headers, body } = await createVpc({ prefer: 'respond-async' })
  const read = await rest('GET', String(headers['location']))
  expect([status, headers['operation-location']]).toEqual([202, headers['location']])
  expect(Object.keys(body.operation).sort()).toEqual(Object.keys(read.body.operation).sort())
  const { id, tenant_id, kind, target_name, created_at } = read.body.operation
  expect(body.operation).toMatchObject({ id, tenant_id, kind, target_name, created_at })
  expect(body.job).toMatchObject({ id, tenant_id, type: kind, created_at })
})

describe('wait', () => {
  const started = async (): Promise<string> => {
    holdVpcs()
    return String((await createVpc({ prefer: 'respond-async' })).headers['location'])
  }

  test('a read with wait is answered when the operation has ended', async () => {
    const path = await started()
    const waiting = rest('GET', `${path}?wait=60`)
    expect((await rest('GET', path)).body.operation.state).not.toBe('succeeded')
    planFailpoints(null)
    expect((await waiting).body.operation.state).toBe('succeeded')
  })

  test('a read with wait is answered with the present state when the time is over', async () => {
    const { status, body } = await rest('GET', `${await started()}?wait=1`)
    expect([status, ['pending', 'running'].includes(body.operation.state)]).toEqual([200, true])
  })

  test('a read with Prefer: wait is answered when the operation has ended', async () => {
    const path = await started()
    const waiting = rest('GET', path, { headers: { prefer: 'wait=60' } })
    planFailpoints(null)
    const { headers, body } = await waiting
    expect([body.operation.state, headers['preference-applied']]).toEqual(['succeeded', 'wait=60'])
  })

  test('a read with a wait of more than a minute is refused', async () => {
    const { status, body } = await rest('GET', `${await started()}?wait=61`)
    expect([status, body.fields[0].path]).toEqual([400, 'wait'])
  })

  test('a read with wait of an operation of another tenant is 404', async () => {
    const other = await context.world.tenant('other')
    const path = await started()
    expect((await other.admin.rest('GET', `${path}?wait=60`)).status).toBe(404)
  })
})

test('a response has Idempotent-Replayed only when its request is repeated', async () => {
  const body = { name: unique('group') }
  const headers = { 'idempotency-key': unique('key') }
  const first = await rest('POST', '/security-groups', { body, headers })
  const second = await rest('POST', '/security-groups', { body, headers })
  expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
  expect([second.text, second.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
  const graph = 'mutation ($i: CreateVpcInput!) { createVpc(input: $i) { vpc { id } } }'
  const variables = { i: { name: unique('vpc') } }
  const answers = [
    await context.tenant.admin.graphql(graph, variables, headers),
    await context.tenant.admin.graphql(graph, variables, headers),
  ]
  expect(answers.map((answer) => answer.headers['idempotent-replayed'])).toEqual([
    undefined,
    'true',
  ])
})
