import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  aForeignVm,
  changeForeignVm,
  unmanagedVms,
  untilShown,
} from '../../support/actions/unmanaged-vm-actions.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
})

describe('a VM of another client', () => {
  test('a VM that kubectl created in the namespace of the tenant is shown with its parts', async () => {
    const { name, volume } = await aForeignVm(world, tenant)
    expect(await untilShown(tenant, name, ({ status }) => status === 'Stopped')).toMatchObject({
      power: 'off',
      cpu: 2,
      memoryMi: 512,
      disks: [{ name: 'main', kind: 'volume', source: volume, sizeGi: 2 }],
      nics: [{ name: 'default', network: null, mac: null }],
      obstacles: [],
    })
  })

  test('a change of an unmanaged VM and its deletion show at once', async () => {
    const { name } = await aForeignVm(world, tenant)
    const { id } = await untilShown(tenant, name)
    const body = { spec: { template: { spec: { domain: { memory: { guest: '1Gi' } } } } } }
    await changeForeignVm(world, { ...tenant, name }, { body })
    expect(await untilShown(tenant, name, ({ memoryMi }) => memoryMi === 1024)).toMatchObject({
      id,
    })
    await changeForeignVm(world, { ...tenant, name }, { method: 'DELETE' })
    await waitFor(async () => !(await unmanagedVms(tenant)).some((vm) => vm.name === name), {
      timeoutMs: 15_000,
      what: 'the deleted VM to disappear',
    })
  })

  test('an unmanaged VM names everything that keeps it from being adopted', async () => {
    const { name } = await aForeignVm(world, tenant, {
      power: 'Always',
      template: { nodeSelector: { rack: '7' } },
    })
    const { obstacles } = await untilShown(tenant, name, ({ status }) => status !== null)
    expect(obstacles).toEqual([
      expect.stringContaining('spec.template.spec.nodeSelector'),
      expect.stringContaining('stop it first'),
    ])
  })

  test('two unmanaged VMs with one volume both name it', async () => {
    const { name, volume } = await aForeignVm(world, tenant)
    const other = unique('foreign')
    await aForeignVm(world, tenant, {
      name: other,
      template: { volumes: [{ name: 'main', persistentVolumeClaim: { claimName: volume } }] },
    })
    for (const each of [name, other]) {
      const { obstacles } = await untilShown(tenant, each, (vm) => vm.obstacles.length > 0)
      expect(obstacles).toEqual([expect.stringContaining(`Volume ${volume}`)])
    }
  })
})

describe('the list of unmanaged VMs', () => {
  test('a VM of Berth is not shown, and a VM whose row was lost is', async () => {
    const vms = await vmActions(tenant.admin)
    const vm = await vms.running({})
    const labels = {
      'berth.dev/managed-by': 'berth',
      'berth.dev/tenant-id': tenant.id,
      'berth.dev/row-id': randomUUID(),
    }
    const lost = await aForeignVm(world, tenant, { labels })
    // The next event in the namespace finds it; without one, the full pass does.
    await aForeignVm(world, tenant)
    await untilShown(tenant, lost.name)
    expect((await unmanagedVms(tenant)).map(({ name }) => name)).not.toContain(vm.name)
    await changeForeignVm(world, { ...tenant, ...lost }, { method: 'DELETE' })
  })

  test('a VM in a namespace of no tenant is not recorded, and a VM of a tenant is not shown to another', async () => {
    const rival = await world.tenant()
    const namespace = unique('elsewhere')
    await world.cluster.call('/api/v1/namespaces', {
      method: 'POST',
      body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    })
    const elsewhere = await aForeignVm(world, { namespace })
    const own = await aForeignVm(world, tenant)
    await untilShown(tenant, own.name)
    expect(await unmanagedVms(rival)).toEqual([])
    const all = await world.database.sql('select name from unmanaged_vm')
    expect(all.map(({ name }) => name)).toContain(own.name)
    expect(all.map(({ name }) => name)).not.toContain(elsewhere.name)
  })

  test('a user without the permission to read VMs does not see them', async () => {
    const answer: Json = await world.anonymous.graphql('{ unmanagedVms { nodes { id } } }')
    expect(answer.code).toBe('unauthenticated')
  })

  test('the REST list of unmanaged VMs has the same VMs', async () => {
    const { name } = await aForeignVm(world, tenant)
    const { id } = await untilShown(tenant, name)
    const { body } = await tenant.admin.rest('GET', '/unmanaged-vms')
    expect(body.unmanaged_vms).toContainEqual(
      expect.objectContaining({ id, name, power: 'off', memory_mi: 512, obstacles: [] }),
    )
  })
})
