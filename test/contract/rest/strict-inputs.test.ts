import { beforeAll, describe, expect, test } from 'vitest'
import { type WireAnswer, type WireCall } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant('acme')
})

const post = (path: string, body?: unknown): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, body === undefined ? {} : { body })
/** The status, and the paths of the fields that the refusal names. */
const refusalOf = ({ status, body }: WireAnswer): unknown[] => [
  status,
  body.fields?.map(({ path }: Json) => path),
]

describe('firewall rules', () => {
  const rule = { direction: 'ingress', protocol: 'tcp', port_from: 443, cidr: '10.0.0.0/8' }
  const wrong = {
    'an unknown direction': [{ ...rule, direction: 'EGRESS' }, 'rules[0].direction'],
    'an empty direction': [{ ...rule, direction: '' }, 'rules[0].direction'],
    'an unknown protocol': [{ ...rule, protocol: 'sctp' }, 'rules[0].protocol'],
    'a negative port': [{ ...rule, port_from: -1 }, 'rules[0].port_from'],
    'the port zero': [{ ...rule, port_from: 0 }, 'rules[0].port_from'],
    'a negative last port': [{ ...rule, port_to: -443 }, 'rules[0].port_to'],
  } as const
  test.each(Object.entries(wrong))('a firewall rule with %s is refused', async (_, [bad, path]) => {
    const created = await post('/security-groups', { name: unique('sg'), rules: [bad] })
    expect(refusalOf(created)).toEqual([400, [path]])
    const { id } = (await post('/security-groups', { name: unique('sg'), rules: [rule] })).body
      .security_group
    const changed = await tenant.admin.rest('PATCH', `/security-groups/${id}`, {
      body: { rules: [bad] },
    })
    expect(refusalOf(changed)).toEqual([400, [path]])
    const { security_group: after } = (await tenant.admin.rest('GET', `/security-groups/${id}`))
      .body
    expect(after.rules).toEqual([rule])
  })
})

describe('API keys', () => {
  test.each([0, -1, -36_500])('an API key that expires in %s days is refused', async (days) => {
    const body = { name: 'ci', expires_in_days: days, scopes: ['vms:read'] }
    expect(refusalOf(await post('/api-keys', body))).toEqual([400, ['expires_in_days']])
    const { code } = await tenant.admin.graphql(
      'mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }',
      { i: { name: 'ci', expiresInDays: days, scopes: ['vms:read'] } },
    )
    expect(code).toBe('invalid_input')
  })

  test('an API key with an empty list of scopes is refused', async () => {
    const answer = await post('/api-keys', { name: 'ci', scopes: [] })
    expect(refusalOf(answer)).toEqual([400, ['scopes']])
    const { code } = await tenant.admin.graphql(
      'mutation { createApiKey(input: { name: "ci", scopes: [] }) { secret } }',
    )
    expect(code).toBe('invalid_input')
  })

  test('an API key without a request body or without a name is refused', async () => {
    expect((await post('/api-keys')).status).toBe(400)
    expect((await post('/api-keys', '')).status).toBe(400)
    expect(refusalOf(await post('/api-keys', {}))).toEqual([400, ['name']])
    const { code } = await tenant.admin.graphql('mutation { createApiKey(input: {}) { secret } }')
    expect(code).toBe('query_refused')
  })

  test('an API key with a misspelt list of scopes is refused', async () => {
    const answer = await post('/api-keys', { name: 'ci', scope: ['vms:read'] })
    expect(refusalOf(answer)).toEqual([400, ['scope']])
    const { code } = await tenant.admin.graphql(
      'mutation ($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }',
      { i: { name: 'ci', scope: ['vms:read'] } },
    )
    expect(code).toBe('invalid_input')
  })
})

describe('names that a request does not have', () => {
  test('an unknown field is refused with the nearest known field', async () => {
    const answer = await post('/service-offerings', { name: 'x', cpu: 1, memroy_mi: 64 })
    expect(answer.body.error).toContain('memroy_mi is not a field here')
    expect(answer.body.error).toContain('did you mean memory_mi?')
    expect(refusalOf(answer)).toEqual([400, ['memory_mi', 'memroy_mi']])
  })

  test.each([
    ['POST', '/api-keys', { name: 'ci', scope: ['vms:read'] }, 'scope', 'scopes'],
    ['PATCH', '/vms/absent', { cpus: 4 }, 'cpus', 'cpu'],
    ['PATCH', '/vms/absent', { memoryMi: 4 }, 'memoryMi', 'memory_mi'],
    ['POST', '/vms', { name: 'x', template_id: 'y', frobnicate: 1 }, 'frobnicate', null],
    ['DELETE', '/volumes/absent', { force: true }, 'force', null],
  ] as const)('%s %s refuses %o', async (...[method, path, body, name, nearest]) => {
    const answer = await tenant.admin.rest(method, path, { body })
    expect(refusalOf(answer)).toEqual([400, [name]])
    const sentence = nearest === null ? 'is not a field' : `did you mean ${nearest}?`
    expect(answer.body.error).toContain(sentence)
  })

  test('an unknown field of a firewall rule is refused with its place', async () => {
    const rules = [{ direction: 'ingress', protocol: 'tcp', port_min: 22, cidr: '10.0.0.0/8' }]
    const answer = await post('/security-groups', { name: unique('sg'), rules })
    expect(refusalOf(answer)).toEqual([400, ['rules[0].port_min']])
    expect(answer.body.error).toContain('did you mean port_to?')
  })

  test.each([
    ['/vms?plan=true', 'plan', 'is not a query parameter of this request'],
    ['/vms?stat=Running', 'stat', 'did you mean state?'],
    ['/vms?limt=2', 'limt', 'did you mean limit?'],
    ['/dashboard/summary?tenant_id=x', 'tenant_id', 'which has none'],
    ['/service-offerings?include_inactive=yes', 'include_inactive', 'true or false'],
    ['/vms?limit=1&limit=2', 'limit', 'must not be repeated'],
    ['/vms?limit=0', 'limit', '1 or more'],
    ['/networks/cidr-plan', 'vpc_id', 'is required'],
  ])('GET %s is refused', async (path, name, sentence) => {
    const answer = await tenant.admin.rest('GET', path)
    expect(refusalOf(answer)).toEqual([400, [name]])
    expect(answer.body.error).toContain(sentence)
  })
})

test('a refusal tells all problems of the query and the body at once', async () => {
  const body = { cpu: -1, memory_mi: '64', tags: 'shop', public_ip: 1, bogus: true }
  const answer = await post('/vms?plan=true', body)
  const paths = ['plan', 'name', 'cpu', 'memory_mi', 'tags', 'public_ip', 'bogus']
  expect([answer.status, new Set(refusalOf(answer)[1] as string[])]).toEqual([400, new Set(paths)])
  for (const path of paths) expect(answer.body.detail).toContain(path)
})

describe('zero and negative sizes', () => {
  test.each([
    ['/vms', { name: 'x', template_id: 'y', cpu: 0 }, 'cpu'],
    ['/vms', { name: 'x', template_id: 'y', cpu: -1 }, 'cpu'],
    ['/vms', { name: 'x', template_id: 'y', memory_mi: 0 }, 'memory_mi'],
    ['/volumes', { name: 'x', size_gi: -5 }, 'size_gi'],
    ['/networks', { name: 'x', vpc_id: 'y', prefix: -1 }, 'prefix'],
  ])('POST %s refuses %o', async (path, body, name) => {
    expect(refusalOf(await post(path, body))).toEqual([400, [name]])
  })

  test('a zero size beside a service offering counts as not given', async () => {
    const { service_offerings: offerings } = (await tenant.admin.rest('GET', '/service-offerings'))
      .body
    const { vm_templates: templates } = (
      await tenant.admin.rest('GET', '/vm-templates?filter=cirros')
    ).body
    const { id, cpu } = offerings.find(({ name }: Json) => name === 'medium')
    const answer = await post('/vms', {
      name: unique('vm'),
      template_id: templates[0].id,
      service_offering_id: id,
      cpu: 0,
      memory_mi: 0,
    })
    expect([answer.status, answer.body.vm?.cpu]).toEqual([201, cpu])
  })
})

describe('PATCH', () => {
  const patched = async (path: string, body: Json): Promise<Json> => {
    const answer = await tenant.admin.rest('PATCH', path, { body })
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    return Object.values(answer.body)[0]
  }

  test('PATCH with null clears a field, and a field that is left out stays', async () => {
    const group = (
      await post('/security-groups', { name: unique('sg'), description: 'Words', rules: [] })
    ).body.security_group
    const path = `/security-groups/${group.id}`
    expect((await patched(path, { name: unique('sg') })).description).toBe('Words')
    expect((await patched(path, { description: null })).description).toBe('')
    const role = (
      await post('/roles', { name: unique('r'), description: 'Words', permissions: ['vms:read'] })
    ).body.role
    expect((await patched(`/roles/${role.id}`, { description: '' })).description).toBe('Words')
    expect((await patched(`/roles/${role.id}`, { description: null })).description).toBe('')
    const account = { username: unique('u'), password: 'a long password', email: 'a@b.example' }
    const { user } = (await post('/users', account)).body
    expect((await patched(`/users/${user.id}`, { email: null })).email).toBe('')
  })

  test('PATCH of a template keeps what it does not name, and null clears', async () => {
    const texts = { description: 'Words', cloud_init_user_data: '#cloud-config' }
    const image = 'quay.io/containerdisks/fedora:40'
    const { id, name } = (await post('/vm-templates', { name: unique('t'), image, ...texts })).body
      .vm_template
    const path = `/vm-templates/${id}`
    expect(await patched(path, { display_name: 'Other' })).toMatchObject(texts)
    const cleared = await patched(path, {
      display_name: null,
      description: null,
      cloud_init_user_data: null,
    })
    expect(cleared).toMatchObject({ display_name: name, description: '' })
    expect(cleared).not.toHaveProperty('cloud_init_user_data')
  })

  test('PATCH with null is refused for a field that cannot be cleared', async () => {
    for (const [path, body] of [
      ['/vms/absent', { cpu: null }],
      ['/volumes/absent', { name: null }],
    ] as const) {
      const answer = await tenant.admin.rest('PATCH', path, { body })
      expect(refusalOf(answer)).toEqual([400, Object.keys(body)])
    }
  })

  test('PATCH of a user with a role name assigns that role', async () => {
    const account = { username: unique('u'), password: 'a long password' }
    const { user } = (await post('/users', account)).body
    const viewer = (await tenant.admin.rest('GET', '/roles')).body.roles.find(
      ({ name }: Json) => name === 'tenant.viewer',
    )
    const changed = await patched(`/users/${user.id}`, { role_name: 'tenant.viewer' })
    expect(changed.role_id).toBe(viewer.id)
  })
})

describe('login comes before validation', () => {
  test('an anonymous request is refused for its missing login before anything else', async () => {
    const { anonymous } = world
    const calls: WireCall[] = [
      { body: '{' },
      { body: { bogus: 1 } },
      { body: {}, headers: { accept: 'text/html' } },
      { body: {}, headers: { 'idempotency-key': 'x'.repeat(300) } },
    ]
    for (const call of calls)
      expect((await anonymous.rest('POST', '/vms?bogus=1', call)).status).toBe(401)
    expect((await anonymous.rest('GET', '/vms?limit=0')).status).toBe(401)
  })

  test('anonymous invalid requests use up the budget of their address', async () => {
    const limited = await aWorld({
      worker: false,
      config: (config) => (config.api.rateLimit = { requests: 50, seconds: 3_600 }),
    })
    const calls: [string, string, Json][] = [
      ['POST', '/vms', { bogus: 1 }],
      ['POST', '/auth/login', { bogus: 1 }],
      ['POST', '/nowhere', {}],
      ['PUT', '/vms', {}],
    ]
    for (const [method, path, body] of calls) {
      const answers = await Promise.all(
        Array.from({ length: 60 }, () => limited.anonymous.rest(method, path, { body })),
      )
      expect([path, answers.some(({ status }) => status === 429)]).toEqual([path, true])
    }
    const login = await limited.wire.send('POST', '/auth/session', { body: {} })
    expect(login.status, 'the login of the console uses the same budget').toBe(429)
  })

  test('9,000 anonymous invalid requests exceed the budget that Berth starts with', async () => {
    const usual = await aWorld({
      worker: false,
      config: (config) => (config.api.rateLimit = { requests: 6_000, seconds: 3_600 }),
    })
    const statuses: number[] = []
    while (statuses.length < 9_000 && !statuses.includes(429)) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () =>
          usual.anonymous.rest('POST', '/vms', { body: { bogus: 1 } }),
        ),
      )
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(statuses).toContain(429)
    expect(statuses.indexOf(429)).toBeGreaterThan(5_000)
  })
})

describe('names', () => {
  const image = 'quay.io/containerdisks/fedora:40'
  const bodies: Readonly<Record<string, Json>> = {
    '/vms': { template_id: '', image },
    '/volumes': { size_gi: 1 },
    '/vm-templates': { image },
    '/ssh-keys': {},
    '/snapshots': { volume_id: 'absent' },
    '/vm-snapshots': { vm_name: 'absent' },
  }
  const wrong = ['Ünïcödé !!', 'Web 1', 'web_1', '-web', 'web-', ' web', 'WEB', 'w'.repeat(51)]

  test.each(Object.keys(bodies))('a name is refused and not rewritten by POST %s', async (path) => {
    for (const name of wrong) {
      const answer = await post(path, { ...bodies[path], name })
      expect([name, ...refusalOf(answer)]).toEqual([name, 400, ['name']])
    }
  })

  test('a wrong slug of a tenant and a wrong name of a service offering are refused', async () => {
    for (const [path, body, field] of [
      ['/tenants', { slug: 'Acme Ltd', admin_password: 'a long password' }, 'slug'],
      ['/service-offerings', { name: 'Extra Large', cpu: 1, memory_mi: 64 }, 'name'],
    ] as const)
      expect(refusalOf(await world.root.rest('POST', path, { body }))).toEqual([400, [field]])
  })

  test('the refusal of a name shows a valid one and where other text belongs', async () => {
    const answer = await post('/vms', { template_id: '', image, name: 'Web 1' })
    expect(answer.body.error).toContain('for example web-1')
    expect(answer.body.error).toContain('display_name')
    const { body } = await tenant.admin.graphql(
      'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }',
      { i: { name: 'Web 1', image } },
    )
    expect(body.errors[0].message).toContain('displayName')
  })

  test('a wrong name is told together with the other problems', async () => {
    const answer = await post('/vms', { name: 'Web 1', cpu: -1, bogus: 1 })
    expect(new Set(refusalOf(answer)[1] as string[])).toEqual(new Set(['name', 'cpu', 'bogus']))
  })
})
