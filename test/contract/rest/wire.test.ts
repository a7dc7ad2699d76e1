import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type World,
  type WorldTenant,
  aWorld,
  adminPassword,
  unique,
} from '../../support/world/world.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant('acme')
})

/** Returns the answer to bytes that no client library would send. */
function raw(text: string): Promise<string> {
  return new Promise((done, failed) => {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname, () =>
      socket.write(text),
    )
    let received = ''
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => (received += chunk.toString()))
    socket.on('error', failed)
    socket.on('close', () => done(received))
  })
}

describe('HTTP interface', () => {
  test('an unknown path answers 404 inside and outside the API for every method', async () => {
    for (const path of [
      '/api/v1/nothing',
      '/api/v2/tenants',
      '/api/v1/tenants/',
      '/api/v1/users/a/b',
      '/api/v1//tenants',
      '/api/v1/TENANTS',
    ])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await world.root.rest(method, path)
        expect([path, answer.status, answer.body.code, answer.headers['content-type']]).toEqual([
          path,
          404,
          'not_found',
          'application/problem+json',
        ])
      }
  })

  test('TRACE and unknown methods are refused with 405', async () => {
    const answer = await world.wire.send('TRACE', '/api/v1/tenants')
    expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed'])
    expect((await world.wire.send('PROPFIND', '/')).status).toBe(405)
  })

  test('a body is limited to 256 KiB and to 20 levels of nesting', async () => {
    const send = (body: string): Promise<WireAnswer> =>
      tenant.admin.rest('POST', '/roles', { body })
    const role = (): string => JSON.stringify({ name: unique('role'), permissions: [] })
    const padded = (size: number): string => role().padEnd(size)
    expect((await send(padded(256 * 1024))).status).toBe(201)
    const large = await send(padded(256 * 1024 + 1))
    expect([large.status, large.body?.code]).toEqual([413, 'payload_too_large'])
    const nested = (depth: number): string =>
      role().replace('[]', '['.repeat(depth - 1) + ']'.repeat(depth - 1))
    expect((await send(nested(20))).body.error).toContain('permissions[0] must be text')
    expect((await send(nested(21))).body.error).toBe(
      'The body is nested more than 20 levels deep; nest it less.',
    )
  })

  test('a body beyond its limit, a long header and a malformed request are refused', async () => {
    const head = `POST /api/v1/users HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${tenant.admin.token}\r\n`
    expect(
      await raw(
        `${head}transfer-encoding: chunked\r\n\r\n${`10000\r\n${'x'.repeat(65_536)}\r\n`.repeat(6)}0\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 413/)
    expect(
      await raw(`GET /api/v1/tenants HTTP/1.1\r\nhost: x\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
    ).toMatch(/^HTTP\/1.1 431/)
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400/)
  })

  test('a request needs no content type, and its request id is echoed or generated', async () => {
    const body = JSON.stringify({ name: unique('role'), permissions: [] })
    const bare = await tenant.admin.rest('POST', '/roles', {
      body,
      headers: { 'content-type': 'text/plain', 'x-request-id': 'mine-1' },
    })
    expect([bare.status, bare.headers['x-request-id']]).toEqual([201, 'mine-1'])
    const made = await tenant.admin.rest('GET', '/roles', {
      headers: { 'x-request-id': 'bad id\t!' },
    })
    expect(made.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a JSON body is accepted under any content type, and other bodies are refused with 415', async () => {
    const send = (body: string, headers: Record<string, string>) =>
      tenant.admin.rest('POST', '/roles', { body, headers })
    const json = (): string => JSON.stringify({ name: unique('role'), permissions: [] })
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/xml',
      'nonsense',
    ])
      expect([type, (await send(json(), { 'content-type': type })).status]).toEqual([type, 201])
    for (const [body, type] of [
      ['name=a', 'application/x-www-form-urlencoded'],
      ['<role/>', 'application/xml; charset=utf-8'],
      ['--b', 'multipart/form-data; boundary=b'],
    ] as const) {
      const answer = await send(body, { 'content-type': type })
      expect([type, answer.status, answer.body.code]).toEqual([type, 415, 'unsupported_media_type'])
    }
    expect((await send('{', { 'content-type': 'application/merge-patch+json' })).status).toBe(400)
    const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const overGraph = await world.wire.send('POST', '/graphql', {
      body: 'packed',
      headers: { authorization: `Bearer ${tenant.admin.token}`, ...packed },
    })
    for (const { status, body } of [await send('packed', packed), overGraph])
      expect([status, body.error]).toEqual([415, expect.stringContaining('the encoding gzip')])
    expect((await send(`\uFEFF${json()}`, {})).status).toBe(201)
  })

  test('a request whose Accept matches nothing changes nothing and is refused as a problem', async () => {
    const name = unique('role')
    const refused = await tenant.admin.rest('POST', '/roles', {
      body: { name, permissions: [] },
      headers: { accept: 'text/html' },
    })
    expect([refused.status, refused.body.code, refused.headers['content-type']]).toEqual([
      406,
      'not_acceptable',
      'application/problem+json',
    ])
    expect((await tenant.admin.rest('GET', `/roles`)).text).not.toContain(name)
    for (const accept of [
      'application/json, text/plain, */*',
      'text/html, */*;q=0.1',
      'application/*',
      '',
    ])
      expect([
        accept,
        (await tenant.admin.rest('GET', '/roles', { headers: { accept } })).status,
      ]).toEqual([accept, 200])
    const stream = await tenant.admin.rest('GET', '/vms/absent/logs', {
      headers: { accept: 'text/plain' },
    })
    expect(stream.status).toBe(404)
  })

  test('every answer carries the security headers, refusals included', async () => {
    for (const answer of [
      await tenant.admin.rest('GET', '/roles'),
      await world.anonymous.rest('GET', '/roles'),
      await world.anonymous.rest('GET', '/nothing'),
    ]) {
      expect(answer.headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining(`frame-ancestors 'none'`),
      })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['x-powered-by']).toBeUndefined()
    }
  })

  test('a credential in the URL is refused, valid or not', async () => {
    for (const name of ['token', 'access_token', 'api_key']) {
      const answer = await world.anonymous.rest('GET', `/roles?${name}=${tenant.admin.token}`)
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_input'])
      expect(answer.text).not.toContain(tenant.admin.token)
    }
  })

  test('an API key is accepted in both headers and refused after its revocation', async () => {
    const { secret, api_key: key } = (
      await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci' } })
    ).body
    expect(
      (await world.anonymous.rest('GET', '/roles', { headers: { 'x-api-key': secret } })).status,
    ).toBe(200)
    expect((await world.wire.client(secret).rest('GET', '/roles')).status).toBe(200)
    expect((await tenant.admin.rest('DELETE', `/api-keys/${key.id}`)).status).toBe(204)
    await expect
      .poll(async () => (await world.wire.client(secret).rest('GET', '/roles')).status, {
        timeout: 5_000,
      })
      .toBe(401)
    const listed = (await tenant.admin.rest('GET', '/api-keys')).body.api_keys.find(
      ({ id }: Json) => id === key.id,
    )
    expect(listed.revoked_at).toMatch(/Z$|\+00/)
  })
})

test('a value that no type can hold is refused with its field and a message', async () => {
  const [offering] = (await world.root.rest('GET', '/service-offerings')).body.service_offerings
  const { user } = (
    await tenant.admin.rest('POST', '/users', {
      body: { username: unique('u'), password: adminPassword },
    })
  ).body
  const tries = [
    ['POST', '/service-offerings', { name: 'x', cpu: 1, memory_mi: 2 ** 40 }, 'memory_mi'],
    ['PATCH', `/service-offerings/${offering.id}`, { state: 'Asleep' }, 'state'],
    ['PATCH', `/users/${user.id}`, { state: 'asleep' }, 'state'],
    ['GET', '/operations?state=asleep', undefined, 'state[0]'],
  ] as const
  for (const [method, path, body, name] of tries) {
    const answer = await world.root
      .with({ 'x-tenant-id': tenant.id })
      .rest(method, path, body ? { body } : {})
    expect([path, answer.status, answer.body.code, answer.body.fields?.[0]?.path]).toEqual([
      path,
      400,
      'invalid_input',
      name,
    ])
    expect(answer.body.error).toContain(name)
  }
})

test.each(['/api', '/api/', '/API/v1/vms', '/Api/v2', '/.well-known/nothing', '/.WELL-KNOWN/x'])(
  'the unknown path %s is a problem document and not the page of the console',
  async (path) => {
    const { status, headers, body } = await world.wire.send('GET', path)
    expect([status, headers['content-type'], body?.code]).toEqual([
      404,
      'application/problem+json',
      'not_found',
    ])
  },
)

test('a request that offers HTTP/2 is answered over HTTP/1.1', async () => {
  const answer = await raw(
    'GET /api/v1/openapi.json HTTP/1.1\r\nhost: x\r\nconnection: Upgrade, HTTP2-Settings, close\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABkAAQAAP__\r\n\r\n',
  )
  expect(answer).toMatch(/^HTTP\/1.1 200/)
})

describe('list', () => {
  test('a list is paged in a stable order without gaps or repeats', async () => {
    for (let index = 0; index < 7; index++)
      await tenant.admin.rest('POST', '/roles', { body: { name: unique('page'), permissions: [] } })
    const whole = (await tenant.admin.rest('GET', '/roles')).body.roles.map(({ id }: Json) => id)
    const collected: string[] = []
    let path = '/roles?limit=3'
    for (let pages = 0; path !== '' && pages < 20; pages++) {
      const answer = await tenant.admin.rest('GET', path)
      collected.push(...answer.body.roles.map(({ id }: Json) => id))
      const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(answer.headers.link ?? '')) ?? []
      expect(answer.body.roles.length === 3 || next === '').toBe(true)
      path = next
    }
    expect(collected).toEqual(whole)
    expect(whole.length).toBeGreaterThanOrEqual(11)
  })

  test('a list refuses invalid limits and cursors', async () => {
    for (const query of [
      'limit=0',
      'limit=-1',
      'limit=x',
      'limit=1e3',
      'limit=1.5',
      'limit=',
      'limit=99999999999',
      'cursor=nonsense',
      'cursor=W10%3D',
    ])
      expect([query, (await tenant.admin.rest('GET', `/roles?${query}`)).status]).toEqual([
        query,
        400,
      ])
  })

  test('an empty list is [] and never null', async () => {
    const other = await world.tenant()
    expect((await other.admin.rest('GET', '/api-keys')).body).toEqual({ api_keys: [] })
    expect((await other.admin.rest('GET', '/operations?kind=nothing')).body).toEqual({
      operations: [],
    })
  })
})

describe('REST and GraphQL', () => {
  test('REST and GraphQL answer the same request alike, with the same texts for refusals', async () => {
    const name = unique('same')
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name, description: 'Words', permissions: ['vms:read'] },
      })
    ).body
    const { roles } = await tenant.admin.ask(
      '{ roles(first: 100) { nodes { id tenantId name description isSystem permissions createdAt } } }',
    )
    const { tenantId, isSystem, createdAt, ...same } = roles.nodes.find(
      ({ id }: Json) => id === role.id,
    )
    expect(role).toEqual({
      ...same,
      tenant_id: tenantId,
      is_system: isSystem,
      created_at: createdAt,
    })

    const create =
      'mutation ($input: CreateRoleInput!) { createRole(input: $input) { role { id } } }'
    for (const [rest, graph] of [
      [
        { name, permissions: [] },
        { name, permissions: [] },
      ],
      [
        { name: 'new', permissions: ['tenants:write'] },
        { name: 'new', permissions: ['tenants:write'] },
      ],
      [
        { name: 'new', permissions: ['nonsense'] },
        { name: 'new', permissions: ['nonsense'] },
      ],
    ]) {
      const overRest = (await tenant.admin.rest('POST', '/roles', { body: rest })).body
      const overGraph = (await tenant.admin.graphql(create, { input: graph })).body.errors[0]
      expect([overGraph.message, overGraph.extensions.code, overGraph.extensions.remedy]).toEqual([
        overRest.detail,
        overRest.code,
        overRest.remedy,
      ])
    }
  })
})
