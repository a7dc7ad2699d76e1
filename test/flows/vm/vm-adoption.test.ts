import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import {
  adopt,
  aForeignVm,
  changeForeignVm,
  loseRow,
  unmanagedVms,
  untilShown,
} from '../../support/actions/unmanaged-vm-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const read = async (id: string): Promise<Json> =>
  (
    await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { name state wantedPower cpu memoryMi bootDiskSizeGi rootDisk drift { part } explanation { code cause } restartRequired nics { name kind mac } } }',
      { id },
    )
  ).vm
const listOf = async (plural: string, group = 'kubevirt.io/v1'): Promise<Json[]> =>
  (await world.cluster.call(`/apis/${group}/namespaces/${tenant.namespace}/${plural}`)).body.items
const objectOf = async (name: string): Promise<Json> =>
  (await listOf('virtualmachines')).find(({ metadata }) => metadata.name === name)

/** Reads the user data of the row, from which later changes of the VM are applied. */
async function userDataOf(id: string): Promise<string> {
  const [row] = await world.database.sql(`select user_data from vm where id = '${id}'`)
  const secret = new Secret(readFileSync(join(world.config.data.dir, 'secret'), 'utf8'))
  return sealFromSecret(secret, 'answers').open(row?.['user_data'] as Buffer)
}

/** Waits until Berth has compared the VM object as it is now. */
const untilCompared = (id: string, name: string): Promise<void> =>
  waitFor(
    async () => {
      const { generation } = (await objectOf(name)).metadata
      const query = `select 1 from vm where id = '${id}' and compared_generation = ${generation}`
      return (await world.database.sql(query)).length > 0
    },
    { timeoutMs: 10_000, what: 'the comparison' },
  )

async function adopted(name: string): Promise<Json> {
  const { vm, ...refusal } = await adopt(tenant, name)
  expect(refusal).toMatchObject({ operation: { kind: 'adopt_vm' } })
  const { state, fault_code: code, fault_detail: detail } = await world.ended('adopt_vm', vm.id)
  expect({ state, code, detail }).toEqual({ state: 'succeeded', code: null, detail: null })
  return vm
}

describe('an adopted VM of another client', () => {
  test('an adopted VM keeps its disk and size, shows no drift, and is no longer in the list', async () => {
    const { name, volume } = await aForeignVm(world, tenant)
    await untilShown(tenant, name)
    const { uid } = (await objectOf(name)).metadata
    const { id } = await adopted(name)
    await vms.inState(id, 'Stopped')
    await untilCompared(id, name)
    expect(await read(id)).toMatchObject({
      wantedPower: 'off',
      cpu: 2,
      memoryMi: 512,
      bootDiskSizeGi: 2,
      rootDisk: 'persistent',
      drift: null,
      explanation: null,
      nics: [{ name: 'nic0', kind: 'pod' }],
    })
    const object = await objectOf(name)
    expect(object.metadata.uid).toBe(uid)
    expect(object.spec.template.spec.volumes).toMatchObject([
      { name: 'root', persistentVolumeClaim: { claimName: volume } },
      { name: 'cloudinit' },
    ])
    expect((await unmanagedVms(tenant)).map((vm) => vm.name)).not.toContain(name)
  })

  test('an adopted VM starts from its disk, and its deletion deletes the disk', async () => {
    const { name, volume } = await aForeignVm(world, tenant)
    await untilShown(tenant, name)
    const { id } = await adopted(name)
    await vms.ask('startVm', id)
    await vms.inState(id, 'Running')
    await vms.ask('deleteVm', id)
    expect(await world.ended('delete_vm', id)).toMatchObject({ state: 'succeeded' })
    const volumes = await listOf('datavolumes', 'cdi.kubevirt.io/v1beta1')
    expect(volumes.map(({ metadata }) => metadata.name)).not.toContain(volume)
    expect(await objectOf(name)).toBeUndefined()
  })
})

describe('an adopted VM whose row was lost', () => {
  test('an adopted VM whose row was lost keeps its id, and its guest keeps running', async () => {
    const userData = '#cloud-config\npackages: [nginx]\n'
    const { id, name } = await vms.running({ rootDisk: 'persistent', cloudInitUserData: userData })
    const secrets = `/api/v1/namespaces/${tenant.namespace}/secrets`
    const secretOf = async (): Promise<Json> =>
      (await world.cluster.call(secrets)).body.items.find((each) => each.metadata.name.includes(id))
        ?.data
    const settings = await secretOf()
    const [before] = (await listOf('virtualmachineinstances')).filter(
      ({ metadata }) => metadata.name === name,
    )
    await loseRow(world, tenant, id)
    expect(await untilShown(tenant, name)).toMatchObject({ power: 'on', obstacles: [] })
    const vm = await adopted(name)
    expect(vm.id).toBe(id)
    await vms.inState(id, 'Running')
    await untilCompared(id, name)
    expect(await read(id)).toMatchObject({ drift: null, restartRequired: false })
    const [after] = (await listOf('virtualmachineinstances')).filter(
      ({ metadata }) => metadata.name === name,
    )
    expect(after?.metadata.uid).toBe(before?.metadata.uid)
    expect(await secretOf()).toEqual(settings)
    expect(await userDataOf(id)).toContain('nginx')
  })
})

describe('a refused adoption', () => {
  test('the refusal names every obstacle at once', async () => {
    const { name } = await aForeignVm(world, tenant, {
      power: 'Always',
      template: { nodeSelector: { rack: '7' } },
    })
    await untilShown(tenant, name)
    expect(await adopt(tenant, name)).toEqual({
      code: 'wrong_state',
      text: expect.stringMatching(/nodeSelector.*stop it first/),
    })
  })

  test('a VM beyond the quota is not adopted', async () => {
    const poor = await world.tenant()
    const quota =
      'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'
    await world.root.ask(quota, { i: { id: poor.id, vcpus: 1 } })
    const { name } = await aForeignVm(world, poor)
    await untilShown(poor, name)
    expect(await adopt(poor, name)).toMatchObject({ code: 'quota_exceeded' })
  })

  test('a viewer and a user of another tenant cannot adopt a VM', async () => {
    const { name } = await aForeignVm(world, tenant)
    await untilShown(tenant, name)
    expect(await adopt({ admin: await tenant.as('viewer') }, name)).toMatchObject({
      code: 'forbidden',
    })
    expect(await adopt(await world.tenant(), name)).toMatchObject({ code: 'not_found' })
  })

  test('a VM object that is gone fails the adoption, and the VM can be deleted', async () => {
    const { name, volume } = await aForeignVm(world, tenant)
    await untilShown(tenant, name)
    await world.database.sql(
      `update unmanaged_vm set cluster_uid = 'that of an older object' where name = '${name}'`,
    )
    const { vm } = await adopt(tenant, name)
    expect(await world.ended('adopt_vm', vm.id)).toMatchObject({ state: 'failed' })
    await vms.ask('deleteVm', vm.id)
    expect(await world.ended('delete_vm', vm.id)).toMatchObject({ state: 'succeeded' })
    expect(await objectOf(name)).toBeDefined()
    const volumes = await listOf('datavolumes', 'cdi.kubevirt.io/v1beta1')
    expect(volumes.map(({ metadata }) => metadata.name)).toContain(volume)
    await changeForeignVm(world, { ...tenant, name }, { method: 'DELETE' })
  })
})
