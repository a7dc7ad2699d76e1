import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type WireAnswer } from '../../support/clients/http-client.ts'
import { violations } from '../../support/requests/json-schema.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  await world.networksOpen()
})

const get = (path: string): Promise<WireAnswer> => tenant.admin.rest('GET', path)
const post = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('POST', path, { body, headers })
const patch = (path: string, body: Json, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('PATCH', path, { body, headers })
const remove = (path: string, headers = {}): Promise<WireAnswer> =>
  tenant.admin.rest('DELETE', path, { headers })
const refusalOf = ({ status, body }: WireAnswer): unknown[] => [
  status,
  body.code,
  body.fields?.[0]?.path,
]
const aVpc = async (body: Json = {}): Promise<Json> =>
  (await post('/vpcs', { name: unique('vpc'), ...body })).body

describe('VPC', () => {
  test('a VPC keeps its requested CIDR, has a default network, and is deleted with all of its networks', async () => {
    const { vpc, default_network: first } = await aVpc({ cidr: '10.40.0.0/20' })
    expect([vpc.cidr, first]).toMatchObject([
      '10.40.0.0/20',
      { name: 'default', vpc_id: vpc.id, cidr: '10.40.0.0/24' },
    ])
    const { network } = (await post('/networks', { name: 'back', vpc_id: vpc.id, prefix: 26 })).body
    expect(network).toMatchObject({
      vpc_id: vpc.id,
      cidr: '10.40.1.0/26',
      network_type: 'isolated',
      tenant_id: tenant.id,
    })
    expect((await remove(`/vpcs/${vpc.id}`)).body).toEqual({ success: true })
    for (const path of [`/vpcs/${vpc.id}`, `/networks/${first.id}`, `/networks/${network.id}`])
      expect([path, (await get(path)).status]).toEqual([path, 404])
    // The CIDR is free when the answer arrives, which clients need to replace a VPC.
    expect((await aVpc({ cidr: '10.40.0.0/20' })).vpc.cidr).toBe('10.40.0.0/20')
  })

  test('a VPC is refused with the REST names of the wrong fields', async () => {
    const { vpc } = await aVpc({ cidr: '10.50.0.0/16' })
    const cases: [string, Json, unknown[]][] = [
      ['/vpcs', { name: 'x', cidr: '10.50.128.0/20' }, [409, 'cidr_overlap', 'cidr']],
      ['/vpcs', { name: 'x', cidr: '8.8.0.0/16' }, [400, 'invalid_input', 'cidr']],
      ['/vpcs', { name: 'x', cidr: '10.51.0.0/25' }, [400, 'invalid_input', 'cidr']],
      ['/vpcs', { name: vpc.name }, [409, 'already_exists', undefined]],
      ['/networks', { name: 'x' }, [400, 'invalid_input', 'vpc_id']],
      [
        '/networks',
        { name: 'x', vpc_id: vpc.id, cidr: '10.60.0.0/24' },
        [400, 'invalid_input', 'cidr'],
      ],
      [
        '/networks',
        { name: 'x', vpc_id: vpc.id, cidr: '10.50.0.0/24' },
        [409, 'cidr_overlap', 'cidr'],
      ],
      ['/networks', { name: 'x', vpc_id: randomUUID() }, [404, 'not_found', undefined]],
    ]
    for (const [path, body, expected] of cases)
      expect([body, ...refusalOf(await post(path, body))]).toEqual([body, ...expected])
    const own = (await get('/vpcs?filter=default')).body.vpcs[0]
    expect(refusalOf(await remove(`/vpcs/${own.id}`))).toEqual([403, 'read_only', undefined])
    expect((await patch(`/vpcs/${vpc.id}`, {})).body.error).toBe('name is required')
  })

  test('a VPC and a network keep the host bits of their requested CIDRs, which change nothing else', async () => {
    const { vpc } = await aVpc({ cidr: '10.44.7.9/16' })
    const request = { name: 'back', vpc_id: vpc.id, cidr: '10.44.8.33/24' }
    const { network } = (await post('/networks', request)).body
    expect([vpc.cidr, network.cidr]).toEqual(['10.44.7.9/16', '10.44.8.33/24'])
    const read = [await get(`/vpcs/${vpc.id}`), await get(`/networks/${network.id}`)]
    expect([read[0]?.body.vpc.cidr, read[1]?.body.network.cidr]).toEqual([vpc.cidr, network.cidr])
    const listed = (await get('/networks')).body.networks
    expect(listed.map(({ cidr }: Json) => cidr)).toContain(network.cidr)
    const overlap = await post('/networks', { ...request, name: 'other', cidr: '10.44.8.128/25' })
    expect(refusalOf(overlap)).toEqual([409, 'cidr_overlap', 'cidr'])
    const plan = (await get(`/networks/cidr-plan?vpc_id=${vpc.id}`)).body
    expect(plan).toMatchObject({ vpc_cidr: '10.44.0.0/16' })
    expect(plan.used).toContain('10.44.8.0/24')
  })

  test('a VPC is answered with its operation when the client does not wait, and has an ETag', async () => {
    const later = await post('/vpcs', { name: unique('vpc') }, { prefer: 'respond-async' })
    expect([later.status, later.body.job.type, later.headers['location']]).toEqual([
      202,
      'create_vpc',
      `/api/v1/operations/${later.body.job.id}`,
    ])
    const document = (await get('/openapi.json')).body
    const { schema } =
      document.paths['/api/v1/vpcs'].post.responses[202].content['application/json']
    expect(violations(schema, later.body, { document })).toEqual([])
    const made = await post('/vpcs', { name: unique('vpc') }, { prefer: 'wait=20' })
    expect([made.status, made.body.vpc.state, made.headers['preference-applied']]).toEqual([
      201,
      'active',
      'wait=20',
    ])
    const { headers } = await get(`/vpcs/${made.body.vpc.id}`)
    const etag = String(headers['etag'])
    expect(
      (await patch(`/vpcs/${made.body.vpc.id}`, { name: unique('New ') }, { 'if-match': etag }))
        .status,
    ).toBe(200)
    expect(
      refusalOf(await patch(`/vpcs/${made.body.vpc.id}`, { name: 'Late' }, { 'if-match': etag })),
    ).toEqual([412, 'version_conflict', undefined])
  })

  test('a VPC is created once per idempotency key, and another body under the same key is refused', async () => {
    const key = { 'idempotency-key': unique('key') }
    const body = { name: unique('vpc') }
    const [one, other] = [await post('/vpcs', body, key), await post('/vpcs', body, key)]
    expect([one.status, other.status, other.body.vpc.id]).toEqual([201, 201, one.body.vpc.id])
    expect(refusalOf(await post('/vpcs', { name: unique('vpc') }, key))).toEqual([
      409,
      'idempotency_conflict',
      undefined,
    ])
  })
})

describe('CIDR plan', () => {
  test('a CIDR plan suggests blocks for VPCs and networks that are then accepted', async () => {
    const { suggestions, existing } = (await get('/vpcs/cidr-plan')).body
    expect(existing).toContain((await get('/vpcs')).body.vpcs[0].cidr)
    const free = suggestions.find(({ available }: Json) => available)
    expect(free.label).toContain(free.cidr)
    const { vpc } = await aVpc({ cidr: free.cidr })
    const plan = (await get(`/networks/cidr-plan?vpc_id=${vpc.id}&prefix=27`)).body
    expect(plan).toMatchObject({ vpc_cidr: vpc.cidr, prefix: 27, auto: plan.suggestions[0].cidr })
    const { network } = (await post('/networks', { name: 'n', vpc_id: vpc.id, cidr: plan.auto }))
      .body
    expect(network.cidr).toBe(plan.auto)
    const after = (await get(`/networks/cidr-plan?vpc_id=${vpc.id}&prefix=27`)).body
    expect(after.used).toContain(plan.auto)
  })

  test('a CIDR plan uses prefix 24 by default, refuses other prefixes, and requires a VPC', async () => {
    const { vpc } = await aVpc()
    const path = `/networks/cidr-plan?vpc_id=${vpc.id}`
    expect((await get(path)).body.prefix).toBe(24)
    for (const prefix of ['', '15', '29', 'x', '24.5', '0', '-24'])
      expect([prefix, ...refusalOf(await get(`${path}&prefix=${prefix}`))]).toEqual([
        prefix,
        400,
        'invalid_input',
        'prefix',
      ])
    expect((await get('/networks/cidr-plan')).body.error).toBe('vpc_id is required')
    expect((await get(`/networks/cidr-plan?vpc_id=${randomUUID()}`)).status).toBe(404)
  })
})

describe('security group', () => {
  const made = async (body: Json = {}): Promise<Json> =>
    (await post('/security-groups', { name: unique('sg'), ...body })).body.security_group
  const web = { direction: 'ingress', protocol: 'tcp', port_from: 443, cidr: '0.0.0.0/0' }

  test('a security group returns its rules in order, with the ports and CIDRs as submitted', async () => {
    const rules = [
      { ...web, port_from: 25, port_to: 25 },
      { direction: 'egress', protocol: 'all', cidr: '::/0' },
      web,
      { ...web, port_from: 80, port_to: 90 },
      { ...web, cidr: '10.1.2.3/8' },
      { ...web, cidr: '203.0.113.9' },
    ]
    const group = await made({ rules })
    expect(group.rules).toEqual(rules)
    expect((await get(`/security-groups/${group.id}`)).body.security_group).toEqual(group)
  })

  test('a security group allows HTTP when it is created without a list of rules, and nothing with an empty one', async () => {
    expect((await made()).rules).toEqual([{ ...web, port_from: 80, port_to: 80 }])
    expect((await made({ rules: [] })).rules).toEqual([])
    const { direction: _, protocol: __, ...short } = web
    expect((await made({ rules: [short] })).rules).toEqual([web])
  })

  test('a security group keeps what a change omits, and clears an empty description', async () => {
    const { vpc } = await aVpc()
    const group = await made({ description: 'Ours', rules: [web], vpc_id: vpc.id })
    expect(group).toMatchObject({ description: 'Ours', vpc_id: vpc.id })
    const path = `/security-groups/${group.id}`
    expect((await patch(path, { name: '' })).body.security_group).toMatchObject({
      name: group.name,
      description: 'Ours',
      rules: [web],
    })
    expect((await patch(path, { description: '' })).body.security_group).toMatchObject({
      description: '',
      rules: [web],
    })
    expect((await patch(path, { rules: null })).body.security_group.rules).toEqual([web])
    expect((await patch(path, { rules: [] })).body.security_group.rules).toEqual([])
  })

  test('a security group refuses a rule with the REST name of the wrong field', async () => {
    const refusals: [Json, string][] = [
      [[{ ...web, port_from: 70_000 }], 'rules[0].port_from'],
      [[web, { ...web, port_to: 442 }], 'rules[1].port_to'],
      [[{ ...web, cidr: '1.2.3.4/99' }], 'rules[0].cidr'],
      [[{ ...web, port_to: 'x' }], 'rules[0].port_to'],
      [['web'], 'rules[0]'],
    ]
    for (const [rules, path] of refusals) {
      const answer = await post('/security-groups', { name: unique('sg'), rules })
      expect([rules, ...refusalOf(answer)]).toEqual([rules, 400, 'invalid_input', path])
      expect(answer.body.error).not.toMatch(/port(From|To)|peerGroup/)
    }
    const both = await post('/security-groups', {
      name: unique('sg'),
      rules: [{ ...web, peer_group_id: randomUUID() }],
    })
    expect(both.body.error).toBe(
      'rules[0] must name either a cidr or a peer_group_id; send exactly one of them',
    )
    expect(
      refusalOf(await post('/security-groups', { name: unique('sg'), vpc_id: randomUUID() })),
    ).toEqual([404, 'not_found', undefined])
  })

  test('a security group is listed after the default group and cannot be deleted while a rule refers to it', async () => {
    const group = await made({ name: '0 first by name' })
    const names = (await get('/security-groups')).body.security_groups.map(({ name }: Json) => name)
    expect(names.slice(0, 2)).toEqual(['default', '0 first by name'])
    const naming = await made({
      rules: [{ direction: 'ingress', protocol: 'all', peer_group_id: group.id }],
    })
    expect(naming.rules).toEqual([
      { direction: 'ingress', protocol: 'all', peer_group_id: group.id },
    ])
    expect(refusalOf(await remove(`/security-groups/${group.id}`))).toEqual([
      409,
      'in_use',
      undefined,
    ])
    for (const { id } of [naming, group])
      expect((await remove(`/security-groups/${id}`)).body).toEqual({ success: true })
  })
})

test('a list is paged, filtered and sorted by query parameters', async () => {
  const stem = unique('page')
  for (const end of ['b', 'a', 'c']) await post('/security-groups', { name: `${stem} ${end}` })
  const first = await get(`/security-groups?filter=${stem}&sort=-name&limit=2`)
  expect(first.body.security_groups.map(({ name }: Json) => name)).toEqual([
    `${stem} c`,
    `${stem} b`,
  ])
  const [, next = ''] = /^<([^>]+)>; rel="next"$/.exec(String(first.headers['link'])) ?? []
  expect((await get(next)).body.security_groups.map(({ name }: Json) => name)).toEqual([
    `${stem} a`,
  ])
  for (const list of ['vpcs', 'networks', 'volumes', 'snapshots']) {
    const { status, body } = await get(`/${list}?filter=no-such-name&sort=created_at`)
    expect([status, body]).toEqual([200, { [list]: [] }])
    expect(refusalOf(await get(`/${list}?sort=cidr`))).toEqual([400, 'invalid_input', 'sort'])
  }
})

test('a list refuses a cursor of another order', async () => {
  const stem = unique('order')
  for (const end of ['a', 'b']) await post('/security-groups', { name: `${stem} ${end}` })
  const list = `/security-groups?filter=${stem}&limit=1`
  const { headers } = await get(`${list}&sort=name`)
  const [, cursor = ''] = /cursor=([^&>]+)/.exec(String(headers['link'])) ?? []
  expect((await get(`${list}&sort=name&cursor=${cursor}`)).status).toBe(200)
  const refused = await get(`${list}&sort=created_at&cursor=${cursor}`)
  expect(refusalOf(refused)).toEqual([400, 'invalid_input', 'cursor'])
})
