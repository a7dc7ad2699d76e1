import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { storeOn } from '../../../server/src/store/store.ts'
import { seedDefaultVpcs } from '../../../server/src/usecases/vpc/seed-default-vpcs.ts'
import { networkActions, networkDocuments as ask } from '../../support/actions/network-actions.ts'
import { plainNetworking } from '../../support/world/default-networking.ts'
import { aDatabase } from '../../support/postgres/database.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let rival: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  rival = await world.tenant()
})

const { aVpc, aNetwork, opened, attachment, tagOf } = networkActions(() => ({ world, tenant }))

describe('the default VPC', () => {
  test('a tenant has a default VPC and a default network, which both become active', async () => {
    const found = (await tenant.admin.ask(ask.vpc, { name: 'default' })).vpc
    expect(found).toMatchObject({
      tenantId: tenant.id,
      cidr: '10.0.0.0/16',
      isDefault: true,
      namespace: `vpc-${found.id}`,
    })
    await opened('vpc', found.id)
    const { nodes } = (await tenant.admin.ask(ask.networks, { f: { vpcId: found.id } })).networks
    expect(nodes).toEqual([
      expect.objectContaining({
        name: 'default',
        cidr: '10.0.0.0/24',
        gateway: '10.0.0.1',
        isDefault: true,
      }),
    ])
    expect(await opened('network', nodes[0].id)).toMatchObject({
      driver: 'bridge-vlan',
      mtu: 1500,
      attachmentNamespace: `vpc-${found.id}`,
    })
    expect(await world.hasNamespace(found.namespace)).toBe(true)
  })

  test('the default VPC and network cannot be deleted', async () => {
    const { id, refusals } = (await tenant.admin.ask(ask.vpc, { name: 'default' })).vpc
    const refused = await tenant.admin.graphql(ask.deleteVpc, { i: { id, withNetworks: true } })
    expect(refused).toMatchObject({
      code: 'read_only',
      text: expect.stringContaining(JSON.stringify(refusals.delete).slice(1, -1)),
    })
    const { nodes } = (
      await tenant.admin.ask(ask.networks, { f: { vpcId: id, search: 'default' } })
    ).networks
    expect((await tenant.admin.graphql(ask.deleteNetwork, { i: { id: nodes[0].id } })).code).toBe(
      'read_only',
    )
    expect(nodes[0].refusals.delete).toContain('is only deleted with it')
  })

  test('a deleted tenant leaves no VPC, network or namespace', async () => {
    const leaving = await world.tenant()
    const { vpc } = await aVpc({}, leaving.admin)
    const network = await aNetwork(vpc.id, {}, leaving.admin)
    await opened('network', network.id, leaving.admin)
    await world.root.rest('DELETE', `/tenants/${leaving.id}`)
    expect((await world.ended('delete_tenant', leaving.id)).state).toBe('succeeded')
    for (const { namespace } of await world.database.sql(
      `select namespace from vpc where tenant_id = '${leaving.id}'`,
    ))
      expect([namespace, await world.hasNamespace(String(namespace))]).toEqual([namespace, false])
    const left = `select name from vpc where tenant_id = '${leaving.id}' and gone_at is null
      union all select name from network where tenant_id = '${leaving.id}' and gone_at is null`
    expect(await world.database.sql(left)).toEqual([])
    expect(
      await world.database.sql(
        `select kind from operation where tenant_id = '${leaving.id}' and finished_at is null`,
      ),
    ).toEqual([])
  })
})

describe('VPCs', () => {
  test('a VPC gets the planned CIDR, a default network and a namespace without user input', async () => {
    const { auto } = (await tenant.admin.ask(ask.vpcPlan)).vpcCidrPlan
    const { vpc, defaultNetwork, operation } = await aVpc()
    expect(vpc).toMatchObject({
      cidr: auto,
      namespace: `vpc-${vpc.id}`,
      isDefault: false,
      state: 'creating',
    })
    expect(defaultNetwork).toMatchObject({ vpcId: vpc.id, name: 'default', isDefault: true })
    expect(operation.kind).toBe('create_vpc')
    expect((await world.ended('create_vpc', vpc.id)).state).toBe('succeeded')
    await opened('vpc', vpc.id)
    await opened('network', defaultNetwork.id)
    const { metadata } = (await world.cluster.call(`/api/v1/namespaces/${vpc.namespace}`)).body
    expect(metadata.labels).toMatchObject({
      'berth.dev/tenant-id': tenant.id,
      'berth.dev/row-id': vpc.id,
    })
    expect(JSON.stringify(metadata)).not.toContain('Web')
  })

  test('a VPC gets the requested CIDR in canonical form, or one of the requested size', async () => {
    expect((await aVpc({ cidr: '172.20.77.1/20' })).vpc.cidr).toBe('172.20.64.0/20')
    expect((await aVpc({ prefix: 22 })).vpc.cidr).toMatch(/\/22$/)
    expect((await aVpc({ cidr: '192.168.200.0/24' })).defaultNetwork.cidr).toBe('192.168.200.0/24')
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ cidr: '8.8.8.0/24' }, 'cidr'],
    [{ cidr: '10.0.0.0/25' }, 'cidr'],
    [{ cidr: 'fd00::/48' }, 'cidr'],
    [{ cidr: `10.9.0.0/16","type":"host-device` }, 'cidr'],
    [{ prefix: 1 }, 'prefix'],
    [{ prefix: 25 }, 'prefix'],
    [{ cidr: '10.200.0.0/16', prefix: 20 }, 'prefix'],
  ])('a VPC is refused with %j, naming the field', async (wrong, path) => {
    const answer = await tenant.admin.graphql(ask.createVpc, {
      i: { name: unique('bad'), ...wrong },
    })
    expect([answer.code, answer.body.errors[0].extensions.fields?.[0]?.path]).toEqual([
      'invalid_input',
      path,
    ])
  })

  test('a VPC never overlaps another of its tenant or the cluster’s networks', async () => {
    const { vpc } = await aVpc({ cidr: '10.70.0.0/16' })
    for (const cidr of ['10.70.0.0/16', '10.70.3.0/24', '10.64.0.0/12', '10.244.3.0/24'])
      expect([
        cidr,
        (await tenant.admin.graphql(ask.createVpc, { i: { name: unique('over'), cidr } })).code,
      ]).toEqual([cidr, 'cidr_overlap'])
    expect((await aVpc({ cidr: vpc.cidr }, rival.admin)).vpc.cidr).toBe(vpc.cidr)
  })

  test('one of 32 overlapping VPCs that race is created', async () => {
    const inputs = Array.from({ length: 32 }, (_, index) => ({
      name: unique('race'),
      cidr: `10.80.0.0/${16 + (index % 8)}`,
    }))
    const answers = await Promise.all(inputs.map((i) => tenant.admin.graphql(ask.createVpc, { i })))
    expect(answers.map(({ code }) => code).filter((code) => code !== 'cidr_overlap')).toEqual([
      null,
    ])
  })

  test('each of 12 VPCs that race gets its own CIDR from the plan', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => aVpc({ prefix: 24 })))
    expect(new Set(made.map(({ vpc }) => vpc.cidr)).size).toBe(12)
  })

  test('a VPC is found by id, name and CIDR, in its own tenant only', async () => {
    const { vpc } = await aVpc({ cidr: '10.90.0.0/16', name: 'Shop Floor' })
    expect((await tenant.admin.ask(ask.vpc, { name: 'shop floor' })).vpc.id).toBe(vpc.id)
    for (const search of ['op Fl', '10.90.'])
      expect((await tenant.admin.ask(ask.vpcs, { n: 5, f: { search } })).vpcs).toMatchObject({
        totalCount: 1,
        nodes: [{ id: vpc.id }],
      })
    expect((await rival.admin.ask(ask.vpc, { id: vpc.id })).vpc).toBeNull()
    expect((await rival.admin.ask(ask.vpc, { name: 'Shop Floor' })).vpc).toBeNull()
    expect((await tenant.admin.ask(ask.vpc, {})).vpc).toBeNull()
    expect((await tenant.admin.graphql(ask.createVpc, { i: { name: 'SHOP FLOOR' } })).code).toBe(
      'already_exists',
    )
  })

  test('a rename of a VPC changes nothing else', async () => {
    const { vpc } = await aVpc()
    await world.ended('create_vpc', vpc.id)
    const { version, ...before } = await opened('vpc', vpc.id)
    const name = unique('renamed')
    const after = (
      await tenant.admin.ask(ask.updateVpc, { i: { id: vpc.id, name, ifVersion: version } })
    ).updateVpc.vpc
    expect(after).toEqual({ ...before, name, version: version + 1 })
    expect(
      (
        await tenant.admin.graphql(ask.updateVpc, {
          i: { id: vpc.id, name: 'late', ifVersion: version },
        })
      ).code,
    ).toBe('version_conflict')
    expect(
      (await tenant.admin.graphql(ask.updateVpc, { i: { id: vpc.id, name: 'DEFAULT' } })).code,
    ).toBe('already_exists')
  })

  test('a VPC with networks is deleted only together with them', async () => {
    const { vpc } = await aVpc()
    const network = await aNetwork(vpc.id, { name: 'Named in the refusal' })
    const refused = await tenant.admin.graphql(ask.deleteVpc, { i: { id: vpc.id } })
    expect([refused.code, refused.text]).toEqual([
      'in_use',
      expect.stringContaining('Named in the refusal'),
    ])
    await opened('network', network.id)
    const { operation } = (
      await tenant.admin.ask(ask.deleteVpc, { i: { id: vpc.id, withNetworks: true } })
    ).deleteVpc
    const again = (await tenant.admin.graphql(ask.deleteVpc, { i: { id: vpc.id } })).body.data
      ?.deleteVpc
    // A repeated deletion joins the open operation, unless the VPC is gone already.
    if (again) expect(again.operation.id).toBe(operation.id)
    expect((await world.ended('delete_vpc', vpc.id)).state).toBe('succeeded')
    expect((await tenant.admin.ask(ask.vpc, { id: vpc.id })).vpc).toBeNull()
    expect((await tenant.admin.ask(ask.network, { id: network.id })).network).toBeNull()
    expect(await world.hasNamespace(vpc.namespace)).toBe(false)
    expect((await aVpc({ cidr: vpc.cidr, name: vpc.name })).vpc.cidr).toBe(vpc.cidr)
  })

  test('a VPC gets a deleted namespace back, with the attachments of its networks', async () => {
    const { vpc, defaultNetwork } = await aVpc()
    const network = await opened('network', defaultNetwork.id)
    const tag = await tagOf(network)
    const uid = (await world.cluster.call(`/api/v1/namespaces/${vpc.namespace}`)).body.metadata.uid
    await world.cluster.call(`/api/v1/namespaces/${vpc.namespace}`, { method: 'DELETE' })
    await waitFor(
      async () => {
        const { metadata } = (await world.cluster.call(`/api/v1/namespaces/${vpc.namespace}`)).body
        return (
          metadata.uid !== undefined &&
          metadata.uid !== uid &&
          (await attachment(network)).metadata.uid !== undefined
        )
      },
      { timeoutMs: 15_000, what: 'the namespace and the attachment to come back' },
    )
    expect(await tagOf(network)).toBe(tag)
  })
})

describe('constraints of the database', () => {
  const values = (row: Record<string, string>): string =>
    `(${Object.keys(row).join()}) select ${Object.values(row).join()}`
  const insert = (table: string, row: Record<string, string>): Promise<unknown> =>
    world.database.sql(
      `insert into ${table} ${values({ id: 'gen_random_uuid()', name: `'${unique('raw')}'`, ...row })}`,
    )

  test('the database refuses a VPC that overlaps another of its tenant', async () => {
    const row = {
      tenant_id: `'${tenant.id}'`,
      namespace: `'${unique('raw')}'`,
      cidr: `'10.0.128.0/17'`,
    }
    await expect(insert('vpc', row)).rejects.toThrow(/vpc_cidr_overlap/)
  })

  test('the database refuses a network with a foreign CIDR, VPC, tenant or segment', async () => {
    const { vpc, defaultNetwork } = await aVpc({ cidr: '10.130.0.0/16' })
    await opened('network', defaultNetwork.id)
    const row = {
      tenant_id: `'${tenant.id}'`,
      vpc_id: `'${vpc.id}'`,
      vpc_cidr: `'${vpc.cidr}'`,
      attachment_namespace: `'n'`,
      attachment_name: `'${unique('raw')}'`,
      cidr: `'10.130.9.0/24'`,
      gateway: `'10.130.9.1'`,
    }
    const tagged = {
      driver: `'bridge-vlan'`,
      bridge: `'b'`,
      mtu: '1500',
      segment: String(await tagOf(defaultNetwork)),
    }
    const wrongs: [Record<string, string>, RegExp][] = [
      [{ cidr: `'10.130.0.128/25'`, gateway: `'10.130.0.129'` }, /network_cidr_overlap/],
      [{ cidr: `'10.131.0.0/24'`, gateway: `'10.131.0.1'` }, /check constraint/],
      [
        { vpc_cidr: `'10.0.0.0/8'`, cidr: `'10.131.0.0/24'`, gateway: `'10.131.0.1'` },
        /foreign key/,
      ],
      [{ tenant_id: `'${rival.id}'` }, /foreign key/],
      [{ gateway: `'10.130.0.1'` }, /check constraint/],
      [tagged, /network_segment_key/],
      [{ ...tagged, segment: 'null' }, /check constraint/],
    ]
    for (const [wrong, why] of wrongs)
      await expect(insert('network', { ...row, ...wrong }), JSON.stringify(wrong)).rejects.toThrow(
        why,
      )
    await insert('network', row)
  })
})

test('a tenant from before VPCs gets its default VPC once, at the next start', async () => {
  const old = await aDatabase()
  const database = await openDatabase({ url: old.url, log: createLog('silent') })
  try {
    const store = storeOn({
      database,
      clock: systemClock,
      seal: sealFromSecret(new Secret('s'.repeat(32)), 'answers'),
    })
    await old.sql(`insert into tenant (id, name, slug, namespace, state, gone_at) values
      (gen_random_uuid(), 'a', 'a', 'berth-a', 'active', null), (gen_random_uuid(), 'b', 'b', 'berth-b', 'creating', null),
      (gen_random_uuid(), 'c', 'c', 'berth-c', 'active', now())`)
    const start = () => seedDefaultVpcs(store, plainNetworking)
    await Promise.all([start(), start()])
    const seeded = `select slug, vpc.name, vpc.cidr::text as vpc, network.cidr::text as network from tenant
      left join vpc on vpc.tenant_id = tenant.id left join network on network.vpc_id = vpc.id order by slug`
    const first = { name: 'default', vpc: '10.0.0.0/16', network: '10.0.0.0/24' }
    const expected = [
      { slug: 'a', ...first },
      { slug: 'b', ...first },
      { slug: 'c', name: null, vpc: null, network: null },
    ]
    expect(await old.sql(seeded)).toEqual(expected)
    expect(
      await old.sql(`select kind from work where kind in ('vpc', 'network') order by 1`),
    ).toHaveLength(4)
    await old.sql('update vpc set gone_at = now()')
    await start()
    expect(await old.sql(seeded)).toEqual(expected)
  } finally {
    await database.close()
  }
})
