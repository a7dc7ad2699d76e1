import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { restRoutes } from '../../../server/src/compose/nouns.ts'
import { type RestRoute } from '../../../server/src/engine/rest/route.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import {
  type FixtureContext,
  fixtureOf,
  make,
  routeFixtures,
} from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { aWorld, unique } from '../../support/world/world.ts'

let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant('acme') }
})

const nameOf = ({ method, path }: RestRoute): string => `${method} ${path}`
const named = (row: RestRoute): [string, RestRoute] => [nameOf(row), row]

const conditional = restRoutes.filter(({ takesVersion }) => takesVersion)

test('all changes of objects with an ETag take If-Match', () => {
  expect(conditional.map(nameOf).sort()).toEqual([
    'DELETE /api/v1/networks/{id}',
    'DELETE /api/v1/roles/{id}',
    'DELETE /api/v1/security-groups/{id}',
    'DELETE /api/v1/service-offerings/{id}',
    'DELETE /api/v1/snapshot-schedules/{id}',
    'DELETE /api/v1/snapshots/{id}',
    'DELETE /api/v1/tenants/{id}',
    'DELETE /api/v1/users/{id}',
    'DELETE /api/v1/vm-templates/{id}',
    'DELETE /api/v1/vms/{name}/networks/{network_id}',
    'DELETE /api/v1/volumes/{id}',
    'DELETE /api/v1/vpcs/{id}',
    'PATCH /api/v1/networks/{id}',
    'PATCH /api/v1/roles/{id}',
    'PATCH /api/v1/security-groups/{id}',
    'PATCH /api/v1/service-offerings/{id}',
    'PATCH /api/v1/snapshot-schedules/{id}',
    'PATCH /api/v1/tenants/{id}',
    'PATCH /api/v1/tenants/{id}/quota',
    'PATCH /api/v1/users/{id}',
    'PATCH /api/v1/vm-templates/{id}',
    'PATCH /api/v1/vms/{name}',
    'PATCH /api/v1/vms/{name}/security-groups',
    'PATCH /api/v1/volumes/{id}',
    'PATCH /api/v1/vpcs/{id}',
    'POST /api/v1/snapshot-schedules/{id}/pause',
    'POST /api/v1/snapshot-schedules/{id}/resume',
    'POST /api/v1/users/{id}/reset-second-factor',
    'POST /api/v1/vm-templates/{id}/retry-import',
    'POST /api/v1/vms/delete',
    'POST /api/v1/vms/retry',
    'POST /api/v1/vms/start',
    'POST /api/v1/vms/stop',
    'POST /api/v1/vms/{name}/drift/accept',
    'POST /api/v1/vms/{name}/drift/revert',
    'POST /api/v1/vms/{name}/eject-iso',
    'POST /api/v1/vms/{name}/networks',
    'POST /api/v1/vms/{name}/pause',
    'POST /api/v1/vms/{name}/restart',
    'POST /api/v1/vms/{name}/resume',
  ])
})

test.each(conditional.map(named))('%s is refused for another version', async (name) => {
  const fixture = routeFixtures[name] ?? expect.unreachable(name)
  const { path, body } = await fixture.arrange(context)
  const send = (ifMatch: string): Promise<WireAnswer> =>
    fixtureOf
      .caller(fixture, context)
      .rest(fixtureOf.method(name), path, { body, headers: { 'if-match': ifMatch } })
  for (const other of ['"999999999"', 'W/"1"', '"of another server"', 'W/"1", "999999999"']) {
    const { status, body: problem } = await send(other)
    expect([other, status, problem.code]).toEqual([other, 412, 'version_conflict'])
  }
  // The request succeeds only if nothing has changed.
  const { status, text } = await send('*')
  expect([status, text]).toEqual([fixture.status, expect.any(String)])
})

const unconditional = restRoutes.filter(
  ({ method, takesVersion, versionOf }) => !takesVersion && !(method === 'GET' && versionOf),
)
test.each(unconditional.map(named))(
  '%s refuses If-Match, which it cannot honor',
  async (_, row) => {
    const path = row.path.replaceAll(/\{\w+\}/g, () => randomUUID())
    const answer = await context.world.root.rest(row.method, path, {
      ...(row.method === 'GET' ? {} : { body: {} }),
      headers: { 'if-match': '"1"' },
    })
    expect([answer.status, answer.body.fields.map(({ path: field }: Json) => field)]).toEqual([
      400,
      expect.arrayContaining(['If-Match']),
    ])
  },
)

describe('tags', () => {
  const aGroup = async (): Promise<{ path: string; etag: string }> => {
    const path = `/security-groups/${(await make.securityGroup(context)).id}`
    return { path, etag: String((await read(path, {})).headers['etag']) }
  }
  const read = (path: string, headers: Record<string, string>): Promise<WireAnswer> =>
    context.tenant.admin.rest('GET', path, { headers })
  const rename = (path: string, ifMatch: string): Promise<WireAnswer> =>
    context.tenant.admin.rest('PATCH', path, {
      body: { name: unique('group') },
      headers: { 'if-match': ifMatch },
    })

  test.each([
    ['alone', (etag: string) => etag],
    ['first in a list', (etag: string) => `${etag}, "999999999"`],
    ['last in a list', (etag: string) => `"999999999", "x" ,W/"2",, ${etag}`],
  ])('a change succeeds with the current tag %s', async (_, ifMatch) => {
    const { path, etag } = await aGroup()
    expect((await rename(path, ifMatch(etag))).status).toBe(200)
  })

  test('a change is refused for the weak form of the current tag, and for what is no tag', async () => {
    const { path, etag } = await aGroup()
    expect((await rename(path, `W/${etag}`)).status).toBe(412)
    for (const malformed of ['1', '', ',', `${etag} ${etag}`, '"1', '* , "1"']) {
      const { status, body } = await rename(path, malformed)
      expect([malformed, status, body.fields[0].path]).toEqual([malformed, 400, 'If-Match'])
    }
  })

  test('a change with tags that name no version is told the tag to send', async () => {
    const { path, etag } = await aGroup()
    for (const tags of [`W/${etag}`, '"of another server", W/"7"']) {
      const { status, body } = await rename(path, tags)
      expect([status, body.code]).toEqual([412, 'version_conflict'])
      expect(body.error).toContain(`If-Match has no version that Berth gave out`)
      expect(body.error).toContain(`such as ${etag}`)
    }
    const other = await rename(path, `W/${etag}, "999999999"`)
    expect([other.status, other.body.error]).toEqual([
      412,
      expect.stringContaining('read it again'),
    ])
  })

  test('a read is 304 for a client that has the current version', async () => {
    const { path, etag } = await aGroup()
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await read(path, { 'if-none-match': tags })
      expect([tags, answer.status, answer.text, answer.headers['etag']]).toEqual([
        tags,
        304,
        '',
        etag,
      ])
    }
    for (const tags of ['"999999999"', 'nonsense'])
      expect((await read(path, { 'if-none-match': tags })).status).toBe(200)
  })

  test('a read is refused with 412 for a client that needs another version', async () => {
    const { path, etag } = await aGroup()
    expect((await read(path, { 'if-match': etag })).status).toBe(200)
    const { status, body } = await read(path, { 'if-match': '"999999999"' })
    expect([status, body.code]).toEqual([412, 'version_conflict'])
  })

  test('a request for an absent object is 404 with If-Match too', async () => {
    const path = `/security-groups/${randomUUID()}`
    expect((await rename(path, '"1"')).status).toBe(404)
    expect((await read(path, { 'if-match': '"1"' })).status).toBe(404)
  })
})

test('a 202 tells when to read its operation', async () => {
  const answer = await context.tenant.admin.rest('POST', '/vpcs', {
    body: { name: unique('vpc') },
    headers: { prefer: 'respond-async' },
  })
  expect([answer.status, answer.headers['retry-after'], answer.headers['location']]).toEqual([
    202,
    '1',
    `/api/v1/operations/${answer.body.job.id}`,
  ])
})
