import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let volumes: VolumeActions
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  volumes = new VolumeActions(world, tenant)
  vms = await vmActions(tenant.admin)
  await make.volume({ world, tenant })
})

const gibibyte = 2 ** 30

describe('storage classes', () => {
  test('storage classes are listed with their capabilities, and with reasons for missing ones', async () => {
    const able =
      'expand { available reason } snapshot { available reason } liveMigrate { available }'
    const { storageClasses } = await tenant.admin.ask(
      `{ storageClasses { name isDefault binding accessModes snapshotClass ${able} } }`,
    )
    const byName = Object.fromEntries(storageClasses.map((each: Json) => [each.name, each]))
    expect(byName.fast).toMatchObject({
      isDefault: true,
      binding: 'immediate',
      accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      snapshotClass: 'fast-snap',
      expand: { available: true, reason: null },
      snapshot: { available: true, reason: null },
      liveMigrate: { available: true },
    })
    expect(byName['local-path']).toMatchObject({
      isDefault: false,
      binding: 'first_use',
      snapshotClass: null,
      liveMigrate: { available: false },
      expand: { available: false, reason: expect.stringContaining('local-path') },
      snapshot: { available: false, reason: expect.stringContaining('local-path') },
    })
  })
})

describe('volumes', () => {
  test('a volume is created on the default class, and its claim is labelled with ids', async () => {
    const name = unique('my-data')
    const { volume, operation } = await volumes.ask('createVolume', { name, sizeGi: 2 })
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(volume).toMatchObject({
      name,
      sizeGi: 2,
      storageClass: 'fast',
      vmId: null,
      heldBy: null,
    })
    await volumes.inState(volume.id, 'ready')
    const { body } = await volumes.claim(volume.id)
    expect(body.metadata.labels).toMatchObject({
      'berth.dev/tenant-id': tenant.id,
      'berth.dev/row-id': volume.id,
    })
    expect(Number(body.spec.resources.requests.storage)).toBeGreaterThanOrEqual(2 * gibibyte)
  })

  test('a volume that binds at first use is ready but unbound, and says so', async () => {
    const { id } = await volumes.made({ storageClass: 'local-path' })
    expect(await volumes.read(id)).toMatchObject({
      state: 'ready',
      bound: false,
      explanation: { code: 'first_use', whoCanFix: 'nobody' },
      refusals: {
        attach: null,
        delete: null,
        resize: expect.any(String),
        snapshot: expect.stringContaining('another storage class'),
      },
    })
    expect((await volumes.claim(id)).body.status.phase).toBe('Pending')
  })

  test('a volume grows and never shrinks, and the refusal names a class that cannot expand', async () => {
    const { id } = await volumes.made()
    await waitFor(async () => (await volumes.read(id)).bound, { what: 'the volume to be bound' })
    const { operation } = await volumes.ask('updateVolume', { id, sizeGi: 3 })
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(Number((await volumes.claim(id)).body.status.capacity.storage)).toBeGreaterThanOrEqual(
      3 * gibibyte,
    )
    expect(await volumes.refusal('updateVolume', { id, sizeGi: 2 })).toBe('invalid_input')
    const local = await volumes.made({ storageClass: 'local-path' })
    expect(await volumes.refusal('updateVolume', { id: local.id, sizeGi: 2 })).toBe('wrong_state')
    expect((await volumes.ask('updateVolume', { id, name: 'other-name' })).volume.name).toBe(
      'other-name',
    )
  })

  test('a deleted volume leaves no claim, and its name is free again', async () => {
    const { id, name } = await volumes.made()
    expect(await volumes.refusal('createVolume', { name })).toBe('already_exists')
    const { operation } = await volumes.ask('deleteVolume', { id })
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(await volumes.read(id)).toBeNull()
    expect([(await volumes.claim(id)).status, (await volumes.dataVolume(id)).status]).toEqual([
      404, 404,
    ])
    await volumes.made({ name })
  })

  test.each([
    [{ name: '!!!' }, 'invalid_input'],
    [{ sizeGi: 0 }, 'invalid_input'],
    [{ sizeGi: 100_000 }, 'invalid_input'],
    [{ storageClass: 'unknown-class' }, 'not_found'],
  ])('a volume with %j is refused: %s', async (input, code) => {
    expect(await volumes.refusal('createVolume', { name: unique('vol'), ...input })).toBe(code)
  })

  test('a volume that was deleted in the cluster becomes lost, and can be deleted', async () => {
    const { id } = await volumes.made()
    await volumes.inState(id, 'ready')
    const path = `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes/vol-${id}`
    await world.cluster.call(path, { method: 'DELETE' })
    await volumes.inState(id, 'lost')
    expect(await volumes.read(id)).toMatchObject({
      explanation: { code: 'lost' },
      refusals: { attach: expect.any(String), delete: null },
    })
    expect((await volumes.ask('deleteVolume', { id })).operation.state).toBe('succeeded')
  })
})

describe('attached volumes', () => {
  test('a volume attaches to one running VM under a stable serial and detaches again', async () => {
    const [vm, other] = [await vms.running(), await vms.create({ start: false })]
    const { id, serial } = await volumes.made()
    const attached = await volumes.ask('attachVolume', { id, vmId: vm.id })
    expect(attached.operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(await volumes.inVmi(vm.name, id)).toEqual({ status: 'Ready', serial })
    await volumes.inState(id, 'attached')
    expect((await volumes.read(id)).holder).toEqual({ id: vm.id, name: vm.name })
    expect(serial).toBe(id.replaceAll('-', '').slice(0, 20))
    await vms.inState(other.id, 'Stopped')
    expect(await volumes.refusal('attachVolume', { id, vmId: other.id })).toBe('in_use')
    expect(await volumes.refusal('deleteVolume', { id })).toBe('in_use')
    const detached = await volumes.ask('detachVolume', { id })
    expect(detached.operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(await volumes.inVmi(vm.name, id)).toEqual({ status: null, serial: null })
    expect(await volumes.read(id)).toMatchObject({
      state: 'ready',
      vmId: null,
      heldBy: null,
      holder: null,
    })
    expect(await vms.read(vm.id)).toMatchObject({ state: 'Running' })
    expect((await volumes.ask('attachVolume', { id, vmId: other.id })).operation.state).toBe(
      'succeeded',
    )
  })

  test('a volume attached to a stopped VM is there at its start, after a resize and after the VM', async () => {
    const vm = await vms.create({ start: false })
    await vms.inState(vm.id, 'Stopped')
    const { id } = await volumes.made({ storageClass: 'local-path' })
    expect((await volumes.ask('attachVolume', { id, vmId: vm.id })).operation.state).toBe(
      'succeeded',
    )
    await tenant.admin.ask('mutation ($i: UpdateVmInput!) { updateVm(input: $i) { vm { id } } }', {
      i: { id: vm.id, memoryMi: 512 },
    })
    await vms.ask('startVm', vm.id)
    await waitFor(async () => (await volumes.inVmi(vm.name, id)).status === 'Ready', {
      timeoutMs: 20_000,
      what: 'the guest to have the volume',
    })
    await volumes.inState(id, 'attached')
    expect(await volumes.read(id)).toMatchObject({ vmId: vm.id, heldBy: vm.id })
    await vms.ask('deleteVm', vm.id)
    await volumes.inState(id, 'ready')
    expect(await volumes.read(id)).toMatchObject({
      vmId: null,
      heldBy: null,
      bound: true,
      explanation: null,
    })
  })
})

describe('a VM with volumes', () => {
  test('the deletion impact of a VM lists its volume as kept', async () => {
    const { id, name } = await volumes.made()
    const vm = await vms.create({ start: false, dataVolumeId: id })
    const impact = '{ vms { nodes { id deletionImpact { items { kind fate name sizeGi } } } } }'
    const { nodes } = (await tenant.admin.ask(impact)).vms
    const { items } = nodes.find((each: Json) => each.id === vm.id).deletionImpact
    expect(items).toContainEqual({ kind: 'volume', fate: 'kept', name, sizeGi: 1 })
  })

  test('a volume of a VM whose deploy failed is free again when it is detached', async () => {
    const { id } = await volumes.made()
    await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
    const vm = await vms.create({ rootDisk: 'persistent', dataVolumeId: id })
    await world.database.sql(
      `update operation set deadline = now(), deadline_seconds = 1 where target_id = '${vm.id}'`,
    )
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({ state: 'failed' })
    await vms.inState(vm.id, 'Failed')
    expect(await volumes.row(id)).toMatchObject({ vm_id: vm.id })
    expect((await volumes.ask('detachVolume', { id })).operation.state).toBe('succeeded')
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    await volumes.inState(id, 'ready')
    expect(await volumes.row(id)).toMatchObject({ vm_id: null, held_by: null })
  })
})

describe('the list and the quota of volumes', () => {
  test('volumes count against the storage quota, and growth counts too', async () => {
    const narrow = await world.tenant()
    const quota =
      'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'
    await world.root.ask(quota, { i: { id: narrow.id, storageGi: 3 } })
    const own = new VolumeActions(world, narrow)
    const { id } = await own.bound({ sizeGi: 2 })
    expect(await own.refusal('createVolume', { name: 'more', sizeGi: 2 })).toBe('quota_exceeded')
    expect(await own.refusal('updateVolume', { id, sizeGi: 4 })).toBe('quota_exceeded')
    expect((await own.ask('updateVolume', { id, sizeGi: 3 })).operation.state).toBe('succeeded')
    await own.ask('deleteVolume', { id })
    expect((await own.made({ sizeGi: 3 })).sizeGi).toBe(3)
  })

  test('volumes are listed, searched and filtered, and a viewer cannot change them', async () => {
    const [one, two] = [
      await volumes.made({ name: unique('sought-a') }),
      await volumes.made({ name: unique('sought-b') }),
    ]
    const list = 'query ($f: VolumeFilter) { volumes(filter: $f) { totalCount nodes { id } } }'
    const found = async (f: Json): Promise<string[]> =>
      (await tenant.admin.ask(list, { f })).volumes.nodes.map(({ id }: Json) => id)
    expect(await found({ search: 'SOUGHT' })).toEqual([one.id, two.id])
    expect(await found({ search: 'sought', states: ['attached'] })).toEqual([])
    expect(await found({ vmId: 'no id' })).toEqual([])
    const asViewer = new VolumeActions(world, tenant, await tenant.as('viewer'))
    expect((await asViewer.read(one.id)).id).toBe(one.id)
    expect(await asViewer.refusal('deleteVolume', { id: one.id })).toBe('forbidden')
    expect(await asViewer.refusal('attachVolume', { id: one.id, vmId: one.id })).toBe('forbidden')
  })
})
