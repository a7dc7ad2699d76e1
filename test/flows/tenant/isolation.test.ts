import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { becomeAppRole } from '../../../server/src/engine/database/app-role.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { runUnit } from '../../../server/src/engine/database/unit.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { everyRow, stateHash } from '../../support/world/database-state.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let acme: WorldTenant
let rival: WorldTenant
/** Occurs in every text field of the rival's objects. */
const canary = `canary${randomUUID().slice(0, 8)}`

beforeAll(async () => {
  world = await aWorld()
  acme = await world.tenant('acme')
  rival = await world.tenant(`rival-${canary}`)
  for (const tenant of [acme, rival]) {
    const stem = tenant === rival ? canary : 'own'
    const { role } = (
      await tenant.admin.rest('POST', '/roles', {
        body: { name: `${stem}-role`, description: `${stem} words`, permissions: ['vms:read'] },
      })
    ).body
    await tenant.admin.rest('POST', '/users', {
      body: {
        username: `${stem}-user`,
        email: `${stem}@b.example`,
        password: 'long enough',
        role_id: role.id,
      },
    })
    const { createVmTemplate } = await tenant.admin.ask(
      `mutation { createVmTemplate(input: { name: "${stem}-template", description: "${stem} words", image: "quay.io/a/${stem}" }) { vmTemplate { id } } }`,
    )
    await tenant.admin.ask('mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }', {
      i: {
        name: `${stem}-vm`,
        tags: [stem],
        templateId: createVmTemplate.vmTemplate.id,
        start: false,
      },
    })
    await make.volume({ world, tenant }, `${stem}-volume`)
    await make.snapshot({ world, tenant }, `${stem}-snapshot`)
    await make.vmSnapshot({ world, tenant }, `${stem}-vm-snapshot`)
    await make.schedule({ world, tenant }, `${stem}-schedule`)
    await tenant.admin.ask(
      'mutation ($i: CreateVpcInput!) { createVpc(input: $i) { vpc { id } } }',
      { i: { name: `${stem}-vpc` } },
    )
    await tenant.admin.rest('POST', '/api-keys', {
      body: { name: `${stem}-key` },
      headers: { 'idempotency-key': unique(stem) },
    })
    await tenant.admin.ask(
      `mutation { createSshKey(input: { name: "${stem}-ssh" }) { sshKey { id } } }`,
    )
  }
  await world.networksOpen()
})

const tenantColumn: Readonly<Record<string, string>> = { tenant: 'id', idempotency_key: 'scope' }

/** Tables of the platform. A tenant must not read any row of them. */
const platformTables = ['cluster_capacity', 'login_network', 'login_throttle']

describe('row level security', () => {
  test('a raw select as a tenant returns its own rows only, on 1,000 interleaved checkouts', async () => {
    const tables = (
      await world.database.sql(
        `select relname as name from pg_class where relrowsecurity and relforcerowsecurity and relkind = 'r' order by 1`,
      )
    ).map((row) => String(row.name))
    expect(tables).toEqual(
      expect.arrayContaining([
        'api_key',
        'audit_event',
        'change_log',
        'idempotency_key',
        'network',
        'operation',
        'role',
        'security_group',
        'security_group_rule',
        'session',
        'snapshot_schedule',
        'ssh_key',
        'tenant',
        'user_account',
        'vm',
        'vm_event',
        'vm_firewall',
        'vm_security_group',
        'vm_snapshot',
        'vm_template',
        'volume',
        'volume_snapshot',
        'vpc',
        'work',
      ]),
    )
    const database = await openDatabase({
      url: world.database.url,
      log: createLog('silent'),
      poolSize: 4,
    })
    const deps = {
      database,
      clock: systemClock,
      seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
    }
    const text = tables
      .map(
        (name) =>
          `select '${name}' as name, ${tenantColumn[name] ?? (platformTables.includes(name) ? `'${randomUUID()}'::uuid` : name === 'service_offering' ? 'null::uuid' : 'tenant_id')} as tenant from ${name}`,
      )
      .join(' union all ')
    const tenantsIn = new Map<string, Set<string>>()
    const readAs = async (tenant: WorldTenant): Promise<void> => {
      const request = { scope: { tenantId: tenant.id }, call: null, idempotency: null }
      const { rows } = await runUnit(deps, request, ({ client }) =>
        client.query<{ name: string; tenant: string | null }>(text),
      )
      const foreign = rows.filter((row) => row.tenant !== null && row.tenant !== tenant.id)
      if (foreign.length > 0)
        throw new Error(`${tenant.slug} sees ${JSON.stringify(foreign.slice(0, 3))}`)
      for (const { name, tenant: owner } of rows)
        if (owner) tenantsIn.set(name, (tenantsIn.get(name) ?? new Set()).add(owner))
    }
    try {
      for (let round = 0; round < 50; round++)
        await Promise.all(
          Array.from({ length: 20 }, (_, index) => readAs(index % 2 ? acme : rival)),
        )
    } finally {
      await database.close()
    }
    // The positive control: each tenant read rows of its own in these tables.
    for (const name of [
      'tenant',
      'user_account',
      'session',
      'api_key',
      'snapshot_schedule',
      'ssh_key',
      'security_group',
      'security_group_rule',
      'vm_firewall',
      'vm_security_group',
      'role',
      'operation',
      'audit_event',
      'change_log',
      'idempotency_key',
      'vm',
      'vm_event',
      'vm_snapshot',
      'vm_snapshot',
      'vm_template',
      'volume',
      'volume_snapshot',
      'vpc',
      'network',
    ])
      expect([name, tenantsIn.get(name)?.size]).toEqual([name, 2])
  })

  test('a connection without a tenant reads no rows, and no tenant writes into another', async () => {
    const client = new pg.Client({ connectionString: world.database.url })
    await client.connect()
    await becomeAppRole(client)
    try {
      for (const table of [
        'tenant',
        'user_account',
        'session',
        'api_key',
        'ssh_key',
        'operation',
        'audit_event',
        'idempotency_key',
        'network',
        'vm',
        'vpc',
        'work',
      ])
        expect([
          table,
          (
            await client.query(
              `select * from ${table} where ${tenantColumn[table] ?? 'tenant_id'} is not null`,
            )
          ).rowCount,
        ]).toEqual([table, 0])
      await client.query(`select set_config('berth.tenant', $1, false)`, [acme.id])
      await expect(
        client.query(
          `insert into role (id, tenant_id, name) values (gen_random_uuid(), $1, 'planted')`,
          [rival.id],
        ),
      ).rejects.toThrow(/row-level security/)
      expect(
        (
          await client.query(`update role set description = 'planted' where tenant_id = $1`, [
            rival.id,
          ])
        ).rowCount,
      ).toBe(0)
      await expect(
        client.query(`update role set description = 'planted' where tenant_id is null`),
      ).rejects.toThrow(/row-level security/)
      expect(
        (await client.query(`delete from user_account where tenant_id = $1`, [rival.id])).rowCount,
      ).toBe(0)
      await expect(
        client.query(`update role set tenant_id = $1 where tenant_id = $2`, [rival.id, acme.id]),
      ).rejects.toThrow(/row-level security/)
    } finally {
      await client.end()
    }
  })

  test('the application role can only append to the audit log', async () => {
    const client = new pg.Client({
      connectionString: world.database.url,
      options: '-c berth.scope=platform',
    })
    await client.connect()
    await becomeAppRole(client)
    try {
      for (const text of [
        `update audit_event set outcome = 'allowed'`,
        'delete from audit_event',
        'truncate audit_event',
        'drop table audit_event',
        'alter table audit_event disable row level security',
      ])
        await expect(client.query(text), text).rejects.toThrow(/permission denied|must be owner/)
      expect((await client.query('select 1 from audit_event limit 1')).rowCount).toBe(1)
    } finally {
      await client.end()
    }
  })
})

const reads = ['/auth/me', '/users', '/roles', '/api-keys', '/service-offerings', '/operations']

const everything = async (client: Client): Promise<string> => {
  const rest = await Promise.all(reads.map((path) => client.rest('GET', path)))
  const graph =
    await client.graphql(`{ viewer { username tenant { slug } } users(first: 100) { totalCount nodes { username email } } roles(first: 100) { totalCount nodes { name description } }
    vms(first: 100) { totalCount nodes { name displayName templateName image tags } } vmTemplates(first: 100) { totalCount nodes { name description image } } vpcs(first: 100) { totalCount nodes { name cidr } } networks(first: 100) { totalCount nodes { name cidr } } vpcCidrPlan { map { name } suggestions { reason } } apiKeys(first: 100) { totalCount nodes { name } } sshKeys(first: 100) { totalCount nodes { name } } operations(first: 100) { totalCount nodes { targetName actorName } } auditEvents(first: 100) { totalCount nodes { targetName actorName } } }`)
  return [...rest, graph]
    .map(({ text, headers }) => `${JSON.stringify(headers)} ${text}`)
    .join('\n')
}

describe('answers', () => {
  test('an answer shows no object of another tenant in any list, count, header or refusal', async () => {
    expect(await everything(rival.admin)).toContain(canary)
    const answers = await everything(acme.admin)
    expect(answers).not.toContain(canary)
    expect(answers).not.toContain(rival.id)
    const searched = await acme.admin.ask(
      `{ users(filter: { search: "${canary}" }) { totalCount nodes { id } } }`,
    )
    expect(searched.users).toEqual({ totalCount: 0, nodes: [] })
    // A name that another tenant has is free, so a tenant does not learn that it is taken.
    const added = await acme.admin.rest('POST', '/users', {
      body: { username: `${canary}-user`, password: 'long enough' },
    })
    expect(added.status).toBe(201)
    expect(added.text).not.toContain(rival.id)
    expect(
      (
        await acme.admin.rest('POST', '/roles', {
          body: { name: `${canary}-role`, permissions: [] },
        })
      ).status,
    ).toBe(201)
  })
})

describe('the header X-Tenant-ID', () => {
  const paths = reads.filter((path) => path !== '/auth/me')

  test('a user of a tenant may name only that tenant, and a refused request changes nothing', async () => {
    const viewer = await acme.as('viewer')
    const before = await stateHash(world.database)
    const values = [
      [acme.id, true],
      [acme.slug, true],
      [rival.id, false],
      [rival.slug, false],
      [randomUUID(), false],
      ['nonsense', false],
      [`${acme.id},${rival.id}`, false],
    ] as const
    for (const client of [acme.admin, viewer]) {
      for (const [value, allowed] of values) {
        const answers = await Promise.all(
          paths.map((path) => client.rest('GET', path, { headers: { 'x-tenant-id': value } })),
        )
        const post = await client.rest('POST', '/roles', {
          headers: { 'x-tenant-id': value },
          body: { name: 'planted', permissions: ['tenants:write'] },
        })
        const refusals = [...answers, post].filter(
          ({ status, body }) => status === 403 && body.code === 'tenant_forbidden',
        )
        expect([value, refusals.length]).toEqual([value, allowed ? 0 : answers.length + 1])
        expect(answers.some(({ status }) => status === 200)).toBe(allowed)
      }
    }
    expect(await stateHash(world.database)).toBe(before)
  })

  test('root may name any existing tenant, and an unknown tenant is not found', async () => {
    const inRival = world.root.with({ 'x-tenant-id': rival.id })
    expect((await inRival.rest('GET', '/users')).text).toContain(canary)
    expect(
      (await world.root.with({ 'x-tenant-id': rival.slug }).rest('GET', '/users')).text,
    ).toContain(canary)
    expect((await world.root.rest('GET', '/users')).text).not.toContain(canary)
    const { role } = (
      await inRival.rest('POST', '/roles', { body: { name: unique('by-root'), permissions: [] } })
    ).body
    expect(role.tenant_id).toBe(rival.id)
    const events = await rival.admin.ask(
      `{ auditEvents(first: 1, filter: { operation: "createRole" }) { nodes { actorName byPlatform targetId } } }`,
    )
    expect(events.auditEvents.nodes).toEqual([
      { actorName: 'root', byPlatform: true, targetId: role.id },
    ])
    const gone = await world.tenant()
    await world.root.rest('DELETE', `/tenants/${gone.id}`)
    await world.ended('delete_tenant', gone.id)
    const before = (await everyRow(world.database)).get('role')
    for (const value of [
      randomUUID(),
      'nonsense',
      gone.id,
      gone.slug,
      `${acme.id},${rival.id}`,
      '../acme',
    ])
      for (const [method, path] of [
        ['GET', '/users'],
        ['POST', '/roles'],
      ] as const) {
        const answer = await world.root
          .with({ 'x-tenant-id': value })
          .rest(method, path, method === 'POST' ? { body: { name: 'x', permissions: [] } } : {})
        expect([value, path, answer.status]).toEqual([value, path, 404])
      }
    expect((await everyRow(world.database)).get('role')).toBe(before)
  })
})
