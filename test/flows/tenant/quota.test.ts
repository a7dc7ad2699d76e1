import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { unlimited } from '../../support/world/quotas.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld({ config: (config) => void (config.tenants.quota.vms = 7) })
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
})

const update = `mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id version quota { resource limit used } } } }`
const limitsIn = (quota: Json): Record<string, number | null> =>
  Object.fromEntries(quota.map(({ resource, limit }: Json) => [resource, limit]))
const change = async (input: Json): Promise<Json> =>
  (await world.root.ask(update, { i: { id: tenant.id, ...input } })).updateTenantQuota.tenant
const own = async (): Promise<Json> =>
  (await tenant.admin.ask('{ viewer { tenant { version quota { resource limit used } } } }')).viewer
    .tenant

describe('the quota of a tenant', () => {
  test('a quota has the platform’s defaults until root sets limits, and null is no limit', async () => {
    expect(limitsIn((await own()).quota)).toEqual({ ...unlimited, vms: 7 })
    expect(limitsIn((await change({ vcpus: 4 })).quota)).toEqual({ ...unlimited, vms: 7, vcpus: 4 })
    expect(limitsIn((await change({ vms: null, memoryMi: 2048 })).quota)).toEqual({
      ...unlimited,
      vcpus: 4,
      memoryMi: 2048,
    })
    expect(limitsIn((await own()).quota)).toEqual({ ...unlimited, vcpus: 4, memoryMi: 2048 })
  })

  test('a quota is readable by its tenant and writable by root, and each change is recorded', async () => {
    const before = await own()
    const refused = await tenant.admin.graphql(update, { i: { id: tenant.id, vms: 1000 } })
    expect(refused.code).toBe('forbidden')
    const { version } = await change({ storageGi: 500 })
    expect(version).toBeGreaterThan(before.version)
    expect(
      (
        await world.root.graphql(update, {
          i: { id: tenant.id, vms: 1, ifVersion: before.version },
        })
      ).code,
    ).toBe('version_conflict')
    const [row] = await world.database.sql(
      `select outcome from audit_event where operation = 'updateTenantQuota' and target_id = '${tenant.id}' order by id desc limit 1`,
    )
    expect(row).toBeDefined()
    const changes = await world.database.sql(
      `select version from change_log where object_id = '${tenant.id}' order by version desc limit 1`,
    )
    expect(changes).toEqual([{ version }])
  })

  test.each([
    ['negative', { vms: -1 }, 'invalid_input'],
    ['of an unknown tenant', { id: '00000000-0000-4000-8000-00000000abcd', vms: 1 }, 'not_found'],
  ])('a quota that is %s is refused', async (_what, input, code) => {
    expect((await world.root.graphql(update, { i: { id: tenant.id, ...input } })).code).toBe(code)
  })

  test('ISO imports count against the storage quota and are refused beyond it', async () => {
    const narrow = await world.tenant()
    await world.root.ask(update, { i: { id: narrow.id, storageGi: 10 } })
    const iso = (isoSizeGi: number) =>
      narrow.admin.graphql(
        'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }',
        {
          i: {
            name: unique('iso'),
            sourceType: 'iso',
            image: 'http://127.0.0.1:9/a.iso',
            isoSizeGi,
          },
        },
      )
    const refused = await iso(11)
    expect(refused.code).toBe('quota_exceeded')
    expect(refused.text).toContain(
      'GiB of storage (limit 10, used 0, and this request would add 11)',
    )
    const { vmTemplate } = (await iso(8)).data.createVmTemplate
    expect((await iso(3)).code).toBe('quota_exceeded')
    // The import fails because the address is unreachable, and its storage is released.
    expect(await world.ended('import_iso', vmTemplate.id)).toMatchObject({ state: 'failed' })
    expect((await iso(9)).code).toBeNull()
    const again =
      'mutation ($i: RetryVmTemplateImportInput!) { retryVmTemplateImport(input: $i) { vmTemplate { id } } }'
    expect((await narrow.admin.graphql(again, { i: { id: vmTemplate.id } })).code).toBe(
      'quota_exceeded',
    )
  })

  test('the quota of VPCs and networks holds under races, default networks included', async () => {
    const narrow = await world.tenant()
    const { vpcs } = await narrow.admin.ask('{ vpcs { nodes { id } } }')
    await world.root.ask(update, { i: { id: narrow.id, vpcs: 2, networks: 4 } })
    const create = (noun: 'Network' | 'Vpc', input: Json) =>
      narrow.admin.graphql(
        `mutation ($i: Create${noun}Input!) { create${noun}(input: $i) { operation { id } } }`,
        {
          i: { name: unique('n'), ...input },
        },
      )
    const networks = await Promise.all(
      Array.from({ length: 8 }, () => create('Network', { vpcId: vpcs.nodes[0].id })),
    )
    expect(networks.map(({ code }) => code).sort()).toEqual(
      [...Array<null>(3).fill(null), ...Array<string>(5).fill('quota_exceeded')].sort(),
    )
    const full = await create('Vpc', {})
    expect(full.text).toContain('networks (limit 4, used 4, and this request would add 1)')
    await world.root.ask(update, { i: { id: narrow.id, networks: 5 } })
    expect((await create('Vpc', {})).code).toBeNull()
    expect((await create('Vpc', {})).text).toContain(
      'VPCs (limit 2, used 2, and this request would add 1)',
    )
  })

  test('each tenant on a page has all its quota resources', async () => {
    const { tenants } = await world.root.ask(
      '{ tenants { nodes { slug quota { resource used } } } }',
    )
    expect(tenants.nodes.length).toBeGreaterThan(2)
    for (const { quota } of tenants.nodes) expect(quota).toHaveLength(Object.keys(unlimited).length)
  })
})
