import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { becomeAppRole, inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { seedVmTemplates } from '../../../server/src/store/vm-template/seed-vm-template.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
let rival: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  rival = await world.tenant()
})

const fields = `id tenantId name displayName description image sourceType osType cloudInitUserData isoSizeGi bootDiskSizeGi storageClass state
  importState deleting readOnly version refusals { update delete retryImport deploy }`
const create = `mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { ${fields} } operation { id } } }`
const update = `mutation ($i: UpdateVmTemplateInput!) { updateVmTemplate(input: $i) { vmTemplate { ${fields} } operation { id } } }`
const remove = `mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } operation { id } } }`
const one = `query ($id: ID!) { vmTemplate(id: $id) { ${fields} } }`
const list = `query ($f: VmTemplateFilter, $o: VmTemplateOrder, $n: Int, $a: String) { vmTemplates(first: $n, after: $a, filter: $f, orderBy: $o) {
  totalCount pageInfo { endCursor hasNextPage } nodes { id name readOnly tenantId } } }`

const image = 'quay.io/containerdisks/fedora:40'
const created = async (
  more: Record<string, unknown> = {},
  client: Client = tenant.admin,
): Promise<Json> =>
  (await client.ask(create, { i: { name: unique('tpl'), image, ...more } })).createVmTemplate
    .vmTemplate
const listed = async (
  variables: Record<string, unknown> = {},
  client: Client = tenant.admin,
): Promise<Json[]> => (await client.ask(list, { n: 100, ...variables })).vmTemplates.nodes

describe('templates of a tenant', () => {
  test('a container disk template is active at once, with the requested values or the defaults', async () => {
    const name = unique('my-template')
    const made = await tenant.admin.ask(create, { i: { name, image: ` ${image} ` } })
    expect(made.createVmTemplate.operation).toBeNull()
    expect(made.createVmTemplate.vmTemplate).toMatchObject({
      name,
      displayName: name,
      description: '',
      image,
      tenantId: tenant.id,
      sourceType: 'container',
      osType: 'linux',
      cloudInitUserData: null,
      isoSizeGi: 8,
      bootDiskSizeGi: 32,
      storageClass: null,
      state: 'Active',
      importState: 'ready',
      deleting: false,
      readOnly: false,
      refusals: {
        update: null,
        delete: null,
        retryImport: expect.stringContaining('imports nothing'),
        deploy: null,
      },
    })
    const all = {
      displayName: 'D',
      description: 'Words',
      osType: 'windows',
      cloudInitUserData: '#cloud-config\n',
      bootDiskSizeGi: 5,
    }
    expect(await created({ ...all, storageClass: 'fast' })).toMatchObject({
      ...all,
      storageClass: 'fast',
    })
  })

  test('an update changes the named fields only, and an empty text clears a field', async () => {
    const { id, version } = await created({
      description: 'Words',
      cloudInitUserData: '#cloud-config\n',
    })
    const changed = async (i: Record<string, unknown>): Promise<Json> =>
      (await tenant.admin.ask(update, { i: { id, ...i } })).updateVmTemplate.vmTemplate
    expect(await changed({ displayName: 'New', ifVersion: version })).toMatchObject({
      displayName: 'New',
      description: 'Words',
      cloudInitUserData: '#cloud-config\n',
      image,
      state: 'Active',
      version: version + 1,
    })
    expect(
      await changed({
        state: 'Inactive',
        image: 'quay.io/a/b:1',
        bootDiskSizeGi: 10,
        osType: 'windows',
      }),
    ).toMatchObject({
      displayName: 'New',
      state: 'Inactive',
      image: 'quay.io/a/b:1',
      bootDiskSizeGi: 10,
      osType: 'windows',
      refusals: { deploy: expect.stringContaining('not active') },
    })
    expect(await changed({ description: '', cloudInitUserData: '' })).toMatchObject({
      description: '',
      cloudInitUserData: null,
    })
    expect(
      (await tenant.admin.graphql(update, { i: { id, displayName: 'Late', ifVersion: version } }))
        .code,
    ).toBe('version_conflict')
    expect(
      (await tenant.admin.graphql(update, { i: { id, image: 'http://a.example.com/b' } })).code,
    ).toBe('invalid_input')
  })

  test.each([
    [{ name: '!!!' }, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ image: '' }, 'image'],
    [{ image: 'https://images.example.com/disk.iso' }, 'image'],
    [{ image: 'not a reference' }, 'image'],
    [{ sourceType: 'iso', image: '' }, 'image'],
    [{ sourceType: 'iso', image }, 'image'],
    [{ sourceType: 'iso', image: 'http://169.254.169.254/latest/meta-data' }, 'image'],
    [{ bootDiskSizeGi: 0 }, 'bootDiskSizeGi'],
    [{ bootDiskSizeGi: 100_000 }, 'bootDiskSizeGi'],
    [{ isoSizeGi: -1 }, 'isoSizeGi'],
    [{ cloudInitUserData: 'a'.repeat(16 * 1024 + 1) }, 'cloudInitUserData'],
    [{ cloudInitUserData: 'é'.repeat(8 * 1024 + 1) }, 'cloudInitUserData'],
    [{ cloudInitUserData: 'a\u0000b' }, 'cloudInitUserData'],
    [{ storageClass: '../fast' }, 'storageClass'],
  ])('a template is refused with %j, naming the field', async (wrong, path) => {
    const answer = await tenant.admin.graphql(create, {
      i: { name: unique('bad'), image, ...wrong },
    })
    expect([answer.code, answer.body.errors[0].extensions.fields?.[0]?.path]).toEqual([
      'invalid_input',
      path,
    ])
  })

  test('a template takes 16 KiB of user data with line breaks and any language', async () => {
    const cloudInitUserData = `#cloud-config\r\n# ü\t${'a'.repeat(16 * 1024 - 20)}`
    expect((await created({ cloudInitUserData })).cloudInitUserData).toBe(cloudInitUserData)
  })

  test('a template name is unique within its tenant, even with 16 requests at once', async () => {
    const name = unique('race')
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => tenant.admin.graphql(create, { i: { name, image } })),
    )
    expect(answers.filter(({ code }) => code === null)).toHaveLength(1)
    expect(new Set(answers.map(({ code }) => code))).toEqual(new Set([null, 'already_exists']))
    expect((await created({ name }, rival.admin)).name).toBe(name)
    const namesake = await created({ name: 'cirros' })
    expect(
      (await listed({ f: { search: 'cirros' } })).map(({ tenantId }) => tenantId).sort(),
    ).toEqual([tenant.id, null].sort())
    await tenant.admin.ask(remove, { i: { id: namesake.id } })
  })

  test('a deleted template is gone, and its name is free again', async () => {
    const { id, name } = await created()
    expect((await tenant.admin.ask(remove, { i: { id } })).deleteVmTemplate).toEqual({
      vmTemplate: { id },
      operation: null,
    })
    expect((await tenant.admin.ask(one, { id })).vmTemplate).toBeNull()
    expect((await tenant.admin.graphql(remove, { i: { id } })).code).toBe('not_found')
    expect((await created({ name })).name).toBe(name)
  })

  test('a template is visible and changeable in its tenant only', async () => {
    const { id, name } = await created({}, rival.admin)
    expect((await tenant.admin.ask(one, { id })).vmTemplate).toBeNull()
    expect(await listed({ f: { search: name } })).toEqual([])
    for (const [document, i] of [
      [update, { id, description: 'mine' }],
      [remove, { id }],
    ] as const)
      expect((await tenant.admin.graphql(document, { i })).code).toBe('not_found')
    const inRival = world.root.with({ 'x-tenant-id': rival.id })
    expect((await inRival.ask(one, { id })).vmTemplate.name).toBe(name)
  })

  test('a template needs vms:read to be read and vms:write to be changed', async () => {
    const viewer = await tenant.as('viewer')
    const { id } = await created()
    expect((await viewer.ask(one, { id })).vmTemplate.id).toBe(id)
    const refused = await Promise.all([
      viewer.graphql(create, { i: { name: unique('no'), image } }),
      viewer.graphql(update, { i: { id, description: 'x' } }),
      viewer.graphql(remove, { i: { id } }),
    ])
    expect(refused.map(({ code }) => code)).toEqual(['forbidden', 'forbidden', 'forbidden'])
  })
})

describe('the list of templates', () => {
  test('the list is filtered by owner, source and search, and paged without gaps', async () => {
    const stem = unique('page')
    for (const end of ['c', 'a', 'b']) await created({ name: `${stem}-${end}` })
    expect((await listed({ f: { search: stem } })).map(({ name }) => name)).toEqual(
      ['a', 'b', 'c'].map((end) => `${stem}-${end}`),
    )
    expect(
      (await listed({ f: { search: stem }, o: { by: 'createdAt', direction: 'desc' } })).map(
        ({ name }) => name.at(-1),
      ),
    ).toEqual(['b', 'a', 'c'])
    expect((await listed({ f: { ownedBy: 'platform' } })).map(({ name }) => name)).toEqual([
      'cirros',
      'fedora-40',
      'ubuntu-2204',
      'windows-server-2022',
    ])
    expect(
      (await listed({ f: { ownedBy: 'platform', sourceType: 'iso' } })).map(({ name }) => name),
    ).toEqual(['windows-server-2022'])
    expect(
      (await listed({ f: { ownedBy: 'tenant' } })).every(({ tenantId }) => tenantId === tenant.id),
    ).toBe(true)
    const whole = (await listed()).map(({ id }) => id)
    const paged: string[] = []
    for (let after: string | null = null, more = true; more;) {
      const { vmTemplates } = await tenant.admin.ask(list, { n: 2, a: after })
      paged.push(...vmTemplates.nodes.map(({ id }: Json) => id))
      expect(vmTemplates.totalCount).toBe(whole.length)
      ;[after, more] = [vmTemplates.pageInfo.endCursor, vmTemplates.pageInfo.hasNextPage]
    }
    expect(paged).toEqual(whole)
  })
})

describe('templates of the platform', () => {
  const seeded = async (client: Client): Promise<Json[]> =>
    listed({ f: { ownedBy: 'platform' } }, client)

  test('a platform template is visible to every tenant and read-only, for root too', async () => {
    const [first] = await seeded(tenant.admin)
    expect((await seeded(rival.admin)).map(({ id }) => id)).toEqual(
      (await seeded(tenant.admin)).map(({ id }) => id),
    )
    for (const client of [
      tenant.admin,
      world.root,
      world.root.with({ 'x-tenant-id': tenant.id }),
    ]) {
      const shown = (await client.ask(one, { id: first.id })).vmTemplate
      expect(shown).toMatchObject({
        readOnly: true,
        tenantId: null,
        state: 'Active',
        refusals: { update: expect.any(String), delete: expect.any(String) },
      })
      for (const [document, i] of [
        [update, { id: first.id, description: 'mine' }],
        [remove, { id: first.id }],
      ] as const) {
        const answer = await client.graphql(document, { i })
        expect([answer.code, answer.body.errors[0].extensions.status ?? 403]).toEqual([
          'template_read_only',
          403,
        ])
      }
    }
    expect((await seeded(tenant.admin))[0]).toEqual(first)
  })

  test('the database refuses changes of a platform template in the scope of a tenant', async () => {
    const client = new pg.Client({ connectionString: world.database.url })
    await client.connect()
    await becomeAppRole(client)
    try {
      await client.query(`select set_config('berth.tenant', $1, false)`, [tenant.id])
      expect((await client.query('select from vm_template where tenant_id is null')).rowCount).toBe(
        4,
      )
      expect(
        (await client.query(`update vm_template set image = 'evil' where tenant_id is null`))
          .rowCount,
      ).toBe(0)
      expect((await client.query('delete from vm_template where tenant_id is null')).rowCount).toBe(
        0,
      )
      const plant = `insert into vm_template (id, tenant_id, name, display_name, image, source_type) values ($1, $2, 'planted', 'p', 'p', 'container')`
      for (const owner of [null, rival.id])
        await expect(client.query(plant, [randomUUID(), owner])).rejects.toThrow(
          /row-level security/,
        )
      await expect(
        client.query('update vm_template set tenant_id = null where tenant_id is not null'),
      ).rejects.toThrow(/row-level security/)
    } finally {
      await client.end()
    }
  })

  test('platform templates are seeded at every start, and changes of the operator stay', async () => {
    const own = await aWorld({ worker: false, isBroken: true })
    await own.database.sql(`update vm_template set display_name = 'Ours' where name = 'cirros'`)
    await own.database.sql(`update vm_template set gone_at = now() where name = 'ubuntu-2204'`)
    await own.database.sql(`delete from vm_template where name = 'windows-server-2022'`)
    const pool = new pg.Pool({
      connectionString: own.database.url,
      ...inAppRole,
    })
    await Promise.all([seedVmTemplates(pool), seedVmTemplates(pool)])
    await pool.end()
    expect(
      await own.database.sql(
        `select name, display_name from vm_template where gone_at is null order by 1`,
      ),
    ).toEqual([
      { name: 'cirros', display_name: 'Ours' },
      { name: 'fedora-40', display_name: 'Fedora 40' },
      { name: 'windows-server-2022', display_name: 'Windows Server 2022' },
    ])
    await own.stop()
  })
})
