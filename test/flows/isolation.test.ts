import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { createLog } from '../../server/src/runtime/log.ts'
import { sealFromSecret } from '../../server/src/runtime/seal.ts'
import { Secret } from '../../server/src/runtime/secret.ts'
import { openDatabase } from '../../server/src/store/orm.ts'
import { runUnit } from '../../server/src/store/unit.ts'
import { aKey, aRole, aUser } from '../support/world-acts.ts'
import { type Client } from '../support/world-client.ts'
import { everyRow, stateHash } from '../support/world-state.ts'
import { type World, type WorldTenant, aWorld, unique } from '../support/world.ts'

let world: World
let acme: WorldTenant
let rival: WorldTenant
/** Stands in every text field of the rival's things. */
const canary = `canary${randomUUID().slice(0, 8)}`

beforeAll(async () => {
  world = await aWorld()
  acme = await world.tenant('acme')
  rival = await world.tenant(`rival-${canary}`)
  for (const tenant of [acme, rival]) {
    const stem = tenant === rival ? canary : 'own'
    const { role } = (await tenant.admin.rest('POST', '/roles', { body: { name: `${stem}-role`, description: `${stem} words`, permissions: ['vms:read'] } })).body
    await tenant.admin.rest('POST', '/users', { body: { username: `${stem}-user`, email: `${stem}@b.example`, password: 'long enough', role_id: role.id } })
    await tenant.admin.rest('POST', '/api-keys', { body: { name: `${stem}-key` }, headers: { 'idempotency-key': unique(stem) } })
  }
}, 60_000)

const tenantColumn: Readonly<Record<string, string>> = { tenant: 'id', idempotency_key: 'scope' }

describe('row level security', () => {
  test('shows a raw select under a unit of one tenant only rows of that tenant, on 1,000 interleaved checkouts', async () => {
    const tables = (await world.database.sql(`select relname as name from pg_class where relrowsecurity and relforcerowsecurity and relkind = 'r' order by 1`)).map((row) => String(row.name))
    expect(tables).toEqual(expect.arrayContaining(['api_key', 'audit_event', 'change_log', 'idempotency_key', 'operation', 'role', 'session', 'tenant', 'user_account', 'work']))
    const database = await openDatabase({ url: world.database.url, log: createLog('silent'), poolSize: 4 })
    const deps = { database, clock: systemClock, seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers') }
    const text = tables.map((name) => `select '${name}' as name, ${tenantColumn[name] ?? (name === 'login_throttle' ? `'${randomUUID()}'::uuid` : name === 'service_offering' ? 'null::uuid' : 'tenant_id')} as tenant from ${name}`).join(' union all ')
    const seen = new Map<string, Set<string>>()
    const look = async (tenant: WorldTenant): Promise<void> => {
      const request = { scope: { tenantId: tenant.id }, call: null, idempotency: null }
      const { rows } = await runUnit(deps, request, ({ client }) => client.query<{ name: string; tenant: string | null }>(text))
      const foreign = rows.filter((row) => row.tenant !== null && row.tenant !== tenant.id)
      if (foreign.length > 0) throw new Error(`${tenant.slug} sees ${JSON.stringify(foreign.slice(0, 3))}`)
      for (const { name, tenant: owner } of rows) if (owner) seen.set(name, (seen.get(name) ?? new Set()).add(owner))
    }
    try {
      for (let round = 0; round < 50; round++) await Promise.all(Array.from({ length: 20 }, (_, index) => look(index % 2 ? acme : rival)))
    } finally {
      await database.close()
    }
    // The positive control: both saw their own in every table where there was anything to see.
    for (const name of ['tenant', 'user_account', 'session', 'api_key', 'role', 'operation', 'audit_event', 'change_log', 'idempotency_key']) expect([name, seen.get(name)?.size]).toEqual([name, 2])
  })

  test('shows nothing and takes nothing where no tenant is set, and lets no tenant write into another', async () => {
    const client = new pg.Client({ connectionString: world.database.url, options: '-c role=berth_app' })
    await client.connect()
    try {
      for (const table of ['tenant', 'user_account', 'session', 'api_key', 'operation', 'audit_event', 'idempotency_key', 'work'])
        expect([table, (await client.query(`select * from ${table} where ${tenantColumn[table] ?? 'tenant_id'} is not null`)).rowCount]).toEqual([table, 0])
      await client.query(`select set_config('berth.tenant', $1, false)`, [acme.id])
      await expect(client.query(`insert into role (id, tenant_id, name) values (gen_random_uuid(), $1, 'planted')`, [rival.id])).rejects.toThrow(/row-level security/)
      expect((await client.query(`update role set description = 'planted' where tenant_id = $1`, [rival.id])).rowCount).toBe(0)
      await expect(client.query(`update role set description = 'planted' where tenant_id is null`)).rejects.toThrow(/row-level security/)
      expect((await client.query(`delete from user_account where tenant_id = $1`, [rival.id])).rowCount).toBe(0)
      await expect(client.query(`update role set tenant_id = $1 where tenant_id = $2`, [rival.id, acme.id])).rejects.toThrow(/row-level security/)
    } finally {
      await client.end()
    }
  })

  test('holds the application to adding to the audit log: it can neither change nor remove', async () => {
    const client = new pg.Client({ connectionString: world.database.url, options: '-c role=berth_app -c berth.scope=platform' })
    await client.connect()
    try {
      for (const text of [`update audit_event set outcome = 'allowed'`, 'delete from audit_event', 'truncate audit_event', 'drop table audit_event', 'alter table audit_event disable row level security'])
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
  const graph = await client.graphql(`{ viewer { username tenant { slug } } users(first: 100) { totalCount nodes { username email } } roles(first: 100) { totalCount nodes { name description } }
    apiKeys(first: 100) { totalCount nodes { name } } operations(first: 100) { totalCount nodes { targetName actorName } } auditEvents(first: 100) { totalCount nodes { targetName actorName } } }`)
  return [...rest, graph].map(({ text, headers }) => `${JSON.stringify(headers)} ${text}`).join('\n')
}

describe('the answers', () => {
  test('for one tenant never show a thing of another, in any list, count, header or refusal', async () => {
    expect(await everything(rival.admin)).toContain(canary)
    const seen = await everything(acme.admin)
    expect(seen).not.toContain(canary)
    expect(seen).not.toContain(rival.id)
    const searched = await acme.admin.ask(`{ users(filter: { search: "${canary}" }) { totalCount nodes { id } } }`)
    expect(searched.users).toEqual({ totalCount: 0, nodes: [] })
    // A name that another tenant's user has is taken: that much everybody can find out, and no more.
    const taken = await acme.admin.rest('POST', '/users', { body: { username: `${canary}-user`, password: 'long enough' } })
    expect(taken.status).toBe(409)
    expect(taken.text).not.toContain(rival.id)
    expect((await acme.admin.rest('POST', '/roles', { body: { name: `${canary}-role`, permissions: [] } })).status).toBe(201)
  })
})

describe('X-Tenant-ID', () => {
  const paths = reads.filter((path) => path !== '/auth/me')

  test('names the own tenant or is refused, for everybody but root, and nothing is touched', async () => {
    const viewer = await acme.as('viewer')
    const before = await stateHash(world.database)
    for (const client of [acme.admin, viewer])
      for (const [value, allowed] of [[acme.id, true], [acme.slug, true], [rival.id, false], [rival.slug, false], [randomUUID(), false], ['nonsense', false], [`${acme.id},${rival.id}`, false]] as const) {
        const answers = await Promise.all(paths.map((path) => client.rest('GET', path, { headers: { 'x-tenant-id': value } })))
        const post = await client.rest('POST', '/roles', { headers: { 'x-tenant-id': value }, body: { name: 'planted', permissions: ['tenants:write'] } })
        if (allowed) expect(answers.some(({ status }) => status === 200)).toBe(true)
        else for (const { status, body } of [...answers, post]) expect([value, status, body.code]).toEqual([value, 403, 'tenant_forbidden'])
      }
    expect(await stateHash(world.database)).toBe(before)
  })

  test('lets root act in any tenant that is there, and is 404 for one that is not', async () => {
    const inRival = world.root.with({ 'x-tenant-id': rival.id })
    expect((await inRival.rest('GET', '/users')).text).toContain(canary)
    expect((await world.root.with({ 'x-tenant-id': rival.slug }).rest('GET', '/users')).text).toContain(canary)
    expect((await world.root.rest('GET', '/users')).text).not.toContain(canary)
    const { role } = (await inRival.rest('POST', '/roles', { body: { name: unique('by-root'), permissions: [] } })).body
    expect(role.tenant_id).toBe(rival.id)
    const events = await rival.admin.ask(`{ auditEvents(first: 1, filter: { operation: "createRole" }) { nodes { actorName byPlatform targetId } } }`)
    expect(events.auditEvents.nodes).toEqual([{ actorName: 'root', byPlatform: true, targetId: role.id }])
    const gone = await world.tenant()
    await world.root.rest('DELETE', `/tenants/${gone.id}`)
    await world.ended('delete_tenant', gone.id)
    const before = (await everyRow(world.database)).get('role')
    for (const value of [randomUUID(), 'nonsense', gone.id, gone.slug, `${acme.id},${rival.id}`, '../acme'])
      for (const [method, path] of [['GET', '/users'], ['POST', '/roles']] as const) {
        const answer = await world.root.with({ 'x-tenant-id': value }).rest(method, path, method === 'POST' ? { body: { name: 'x', permissions: [] } } : {})
        expect([value, path, answer.status]).toEqual([value, path, 404])
      }
    expect((await everyRow(world.database)).get('role')).toBe(before)
  })
})

describe('a foreign id', () => {
  /** A field with an id argument, and how to make something of the rival's that it could name. */
  const cases: [string, string, (id: string) => [string, Record<string, unknown>]][] = [
    ['role', 'updateRole', (id) => ['mutation ($i: UpdateRoleInput!) { updateRole(input: $i) { role { id } } }', { i: { id, description: 'mine' } }]],
    ['role', 'deleteRole', (id) => ['mutation ($i: DeleteRoleInput!) { deleteRole(input: $i) { role { id } } }', { i: { id } }]],
    ['role', 'createUser.roleId', (id) => ['mutation ($i: CreateUserInput!) { createUser(input: $i) { user { id } } }', { i: { username: 'x1', password: 'long enough', roleId: id } }]],
    ['user', 'updateUser', (id) => ['mutation ($i: UpdateUserInput!) { updateUser(input: $i) { user { id } } }', { i: { id, email: 'a@b.example' } }]],
    ['user', 'deleteUser', (id) => ['mutation ($i: DeleteUserInput!) { deleteUser(input: $i) { user { id } } }', { i: { id } }]],
    ['key', 'revokeApiKey', (id) => ['mutation ($i: RevokeApiKeyInput!) { revokeApiKey(input: $i) { apiKey { id } } }', { i: { id } }]],
    ['operation', 'operation', (id) => ['query ($id: ID!) { operation(id: $id) { id } }', { id }]],
    ['operation', 'cancelOperation', (id) => ['mutation ($i: CancelOperationInput!) { cancelOperation(input: $i) { operation { id } } }', { i: { id } }]],
    ['user', 'operations.actorId', (id) => ['query ($id: ID!) { operations(filter: { actorId: $id }) { totalCount nodes { id } } }', { id }]],
    ['operation', 'operations.targetId', (id) => ['query ($id: ID!) { operations(filter: { targetId: $id }) { totalCount nodes { id } } }', { id }]],
    ['tenant', 'tenant', (id) => ['query ($id: ID!) { tenant(id: $id) { id } }', { id }]],
  ]
  const ofRival = async (): Promise<Record<string, string>> => {
    const place = { world, tenant: rival }
    const operation = await world.ended('create_tenant', rival.id)
    return { role: (await aRole(place)).id, user: (await aUser(place)).id, key: (await aKey(place)).id, operation: operation.id, tenant: rival.id }
  }
  const told = ({ status, text }: { status: number; text: string }, id: string): unknown[] => [status, text.replaceAll(id, 'ID').replace(/"(requestId|request_id)":"[^"]+"/, '')]

  test('is answered over GraphQL like one that nobody has, and touches nothing', async () => {
    const theirs = await ofRival()
    const before = await stateHash(world.database)
    for (const [noun, name, document] of cases) {
      const [foreign, absent] = [theirs[noun]!, randomUUID()]
      const [one, other] = [await acme.admin.graphql(...document(foreign)), await acme.admin.graphql(...document(absent))]
      expect([name, ...told(one, foreign)]).toEqual([name, ...told(other, absent)])
    }
    expect(await stateHash(world.database)).toBe(before)
    // The positive control: for the rival the very same ids mean something.
    for (const [noun, name, document] of cases.filter(([, field]) => !['tenant', 'cancelOperation'].includes(field) && !field.includes('.'))) {
      const answer = await rival.admin.graphql(...document(theirs[noun]!))
      expect([name, answer.code, Object.values(answer.data ?? {}).includes(null)]).toEqual([name, name === 'deleteRole' && answer.code ? 'not_found' : null, false])
      Object.assign(theirs, await ofRival())
    }
  })

  test('is answered over REST like one that nobody has, and touches nothing', async () => {
    const theirs = await ofRival()
    const before = await stateHash(world.database)
    const rows = [['PATCH', '/roles', 'role'], ['DELETE', '/roles', 'role'], ['PATCH', '/users', 'user'], ['DELETE', '/users', 'user'], ['DELETE', '/api-keys', 'key'], ['GET', '/operations', 'operation'], ['GET', '/tenants', 'tenant'], ['DELETE', '/tenants', 'tenant']] as const
    for (const [method, path, noun] of rows) {
      const [foreign, absent] = [theirs[noun]!, randomUUID()]
      const send = (id: string) => acme.admin.rest(method, `${path}/${id}`, method === 'PATCH' ? { body: { description: 'mine', email: 'a@b.example' } } : {})
      expect([path, ...told(await send(foreign), foreign)]).toEqual([path, ...told(await send(absent), absent)])
    }
    expect(await stateHash(world.database)).toBe(before)
  })

  test('has a case here for every id argument of the schema that names a thing of a tenant', async () => {
    const { __schema: schema } = await world.root.ask(`{ __schema { types { kind name fields { name args { name type { ...T } } } inputFields { name type { ...T } } } } }
      fragment T on __Type { name ofType { name ofType { name ofType { name ofType { name } } } } }`)
    const nameOf = (type: any): string => type.name ?? nameOf(type.ofType)
    const inputs = new Map<string, any[]>(schema.types.filter(({ kind }: any) => kind === 'INPUT_OBJECT').map(({ name, inputFields }: any) => [name, inputFields]))
    const idsOf = (field: any): string[] =>
      field.args.flatMap((arg: any) => {
        const type = nameOf(arg.type)
        const ids = (inputs.get(type) ?? []).filter((input: any) => nameOf(input.type) === 'ID').map((input: any) => (input.name === 'id' ? field.name : `${field.name}.${input.name}`))
        return type === 'ID' ? [field.name] : ids
      })
    const fields = schema.types.filter(({ name }: any) => ['Query', 'Mutation'].includes(name)).flatMap(({ fields: own }: any) => own)
    const ofPlatform = ['serviceOffering', 'updateServiceOffering', 'deleteServiceOffering', 'updateTenant', 'deleteTenant', 'updateUser.roleId']
    expect([...new Set(fields.flatMap(idsOf))].filter((name: any) => !ofPlatform.includes(name)).sort()).toEqual([...new Set(cases.map(([, name]) => name))].sort())
  })
})
