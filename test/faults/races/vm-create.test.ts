import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let templateId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  templateId = (
    await world.root.ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')
  ).vmTemplates.nodes[0].id
})
afterEach(() => planFailpoints(null))

const atOnce = 32
const create = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
const small = { cpu: 1, memoryMi: 512, rootDisk: 'ephemeral', start: false }

const limit = (tenant: WorldTenant, limits: Json) =>
  world.root.ask(
    'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }',
    {
      i: { id: tenant.id, ...limits },
    },
  )

const limitedTenant = async (limits: Json): Promise<WorldTenant> => {
  const tenant = await world.tenant()
  await limit(tenant, limits)
  return tenant
}

const ask = (tenant: WorldTenant, input: Json = {}) =>
  tenant.admin.graphql(create, { i: { name: unique('vm'), templateId, ...small, ...input } })

/** Counts the answers by code. */
const answersTo = async (
  requests: readonly Promise<{ code: string | null }>[],
): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { code } of await Promise.all(requests))
    counts[code ?? 'made'] = (counts[code ?? 'made'] ?? 0) + 1
  return counts
}
const many = (send: (index: number) => Promise<{ code: string | null }>) =>
  answersTo(Array.from({ length: atOnce }, (_, index) => send(index)))

const quotaOf = async ({ admin }: WorldTenant): Promise<Record<string, number>> => {
  const { quota } = (await admin.ask('{ viewer { tenant { quota { resource limit used } } } }'))
    .viewer.tenant
  return Object.fromEntries(quota.map(({ resource, used }: Json) => [resource, used]))
}

describe('32 VMs requested at the same time', () => {
  test('concurrent requests with one name create one VM', async () => {
    const tenant = await world.tenant()
    const name = unique('twin')
    expect(await many(() => ask(tenant, { name }))).toEqual({ made: 1, already_exists: atOnce - 1 })
    expect(await quotaOf(tenant)).toMatchObject({ vms: 1 })
  })

  test('concurrent requests create exactly as many VMs as the quota allows', async () => {
    const tenant = await limitedTenant({ vms: 10 })
    expect(await many(() => ask(tenant))).toEqual({ made: 10, quota_exceeded: atOnce - 10 })
    expect((await ask(tenant)).code).toBe('quota_exceeded')
    expect(await quotaOf(tenant)).toMatchObject({
      vms: 10,
      vcpus: 10,
      memoryMi: 5120,
      storageGi: 0,
    })
  })

  test('concurrent requests of mixed sizes stay within the quota and use it up', async () => {
    const tenant = await limitedTenant({ vcpus: 20 })
    const answers = await many((index) => ask(tenant, { cpu: [1, 2, 3, 4][index % 4] }))
    expect(Object.keys(answers).sort()).toEqual(['made', 'quota_exceeded'])
    const { vcpus = 0 } = await quotaOf(tenant)
    expect(vcpus).toBeLessThanOrEqual(20)
    const [sum] = await world.database.sql(
      `select sum(cpu)::int as cpus from vm where tenant_id = '${tenant.id}' and gone_at is null`,
    )
    expect(sum?.['cpus']).toBe(vcpus)
    expect(await answersTo(Array.from({ length: 21 - vcpus }, () => ask(tenant)))).toEqual({
      ...(vcpus < 20 ? { made: 20 - vcpus } : {}),
      quota_exceeded: 1,
    })
  })

  test('two tenants with concurrent requests use only their own quota', async () => {
    const [one, other] = [await limitedTenant({ vms: 3 }), await limitedTenant({ vms: 5 })]
    const [ofOne, ofOther] = await Promise.all([many(() => ask(one)), many(() => ask(other))])
    expect([ofOne['made'], ofOther['made']]).toEqual([3, 5])
  })
})

describe('quota usage', () => {
  test('quota usage is released when the VM is gone, and not before', async () => {
    const tenant = await limitedTenant({ vms: 1, storageGi: 40 })
    const { vm } = (await ask(tenant, { rootDisk: 'persistent', bootDiskSizeGi: 40 })).data.createVm
    await world.ended('deploy_vm', vm.id)
    const full = { vms: 1, vcpus: 1, memoryMi: 512, storageGi: 40 }
    expect(await quotaOf(tenant)).toMatchObject(full)
    planFailpoints({ rules: [{ at: 'delete_vm.gone', where: 'before', do: 'error' }] })
    await tenant.admin.ask('mutation ($id: ID!) { deleteVm(input: { id: $id }) { vm { id } } }', {
      id: vm.id,
    })
    expect(await quotaOf(tenant)).toMatchObject(full)
    expect((await ask(tenant)).code).toBe('quota_exceeded')
    planFailpoints(null)
    await world.ended('delete_vm', vm.id)
    expect(await quotaOf(tenant)).toMatchObject({ vms: 0, vcpus: 0, memoryMi: 0, storageGi: 0 })
    expect((await ask(tenant)).code).toBeNull()
  })

  test('quota usage of a failed deploy is released when the VM is deleted', async () => {
    const tenant = await limitedTenant({ vms: 1 })
    const name = unique('taken')
    const spec = {
      runStrategy: 'Halted',
      template: { spec: { domain: { devices: {}, memory: { guest: '128Mi' } } } },
    }
    const body = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', metadata: { name }, spec }
    await world.cluster.call(
      `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines`,
      { method: 'POST', body },
    )
    const { vm } = (await ask(tenant, { name })).data.createVm
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({ state: 'failed' })
    expect((await quotaOf(tenant))['vms']).toBe(1)
    await tenant.admin.ask('mutation ($i: DeleteVmInput!) { deleteVm(input: $i) { vm { id } } }', {
      i: { id: vm.id },
    })
    await waitFor(async () => (await quotaOf(tenant))['vms'] === 0, {
      timeoutMs: 10_000,
      what: 'the usage to be released',
    })
    expect((await ask(tenant)).code).toBeNull()
  })
})

test('a larger size is charged to the quota by the difference only', async () => {
  const tenant = await limitedTenant({ vcpus: 3 })
  const made = await ask(tenant)
  const { id } = made.data.createVm.vm
  await world.ended('deploy_vm', id)
  const resize = (cpu: number) =>
    tenant.admin.graphql('mutation ($i: UpdateVmInput!) { updateVm(input: $i) { vm { cpu } } }', {
      i: { id, cpu },
    })
  expect((await resize(4)).code).toBe('quota_exceeded')
  expect((await resize(3)).code).toBeNull()
  expect(await quotaOf(tenant)).toMatchObject({ vcpus: 3 })
})
