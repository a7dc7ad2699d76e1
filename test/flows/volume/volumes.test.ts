import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type VmActs, vmActs } from '../../support/actions/vm-actions.ts'
import { VolumeActs } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let volumes: VolumeActs
let vms: VmActs
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.1 })
  tenant = await world.tenant()
  volumes = new VolumeActs(world, tenant)
  vms = await vmActs(tenant.admin)
  await make.volume({ world, tenant })
})

const gibibyte = 2 ** 30

describe('storage classes', () => {
  test('are listed with what each can do, and why not', async () => {
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

describe('a volume', () => {
  test('is made on the default class, with a claim of its own that bears the names of no tenant', async () => {
    const name = unique('My_Data')
    const { volume, operation } = await volumes.ask('createVolume', { name, sizeGi: 2 })
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(volume).toMatchObject({
      name: name.toLowerCase().replace('_', '-'),
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

  test('of a class that waits for a first use is ready without taking room, and says so', async () => {
    const { id } = await volumes.made({ storageClass: 'local-path' })
    expect(await volumes.read(id)).toMatchObject({
      state: 'ready',
      bound: false,
      explanation: { code: 'first_use', whoCanFix: 'nobody' },
      refusals: {
        attach: null,
        delete: null,
        resize: expect.any(String),
        snapshot: expect.stringContaining('snapshot of its VM'),
      },
    })
    expect((await volumes.claim(id)).body.status.phase).toBe('Pending')
  })

  test('grows, and never shrinks; where its class cannot, that is refused with the class in the sentence', async () => {
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
    expect((await volumes.ask('updateVolume', { id, name: 'Other Name' })).volume.name).toBe(
      'other-name',
    )
  })

  test('is deleted with what is behind it, and its name is free again', async () => {
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
    [{ storageClass: 'nobodys' }, 'not_found'],
  ])('asked for as %j is refused with %s', async (input, code) => {
    expect(await volumes.refusal('createVolume', { name: unique('vol'), ...input })).toBe(code)
  })

  test('that somebody takes away in the cluster is lost, is not made again, and can be deleted', async () => {
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

describe('an attached volume', () => {
  test('comes into a running VM under a stable serial, leaves it again, and is in one VM only', async () => {
    const [vm, other] = [await vms.running(), await vms.create({ start: false })]
    const { id, serial } = await volumes.made()
    const attached = await volumes.ask('attachVolume', { id, vmId: vm.id })
    expect(attached.operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(await volumes.inRun(vm.name, id)).toEqual({ status: 'Ready', serial })
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
    expect(await volumes.inRun(vm.name, id)).toEqual({ status: null, serial: null })
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

  test('to a stopped VM is there when it starts, stays through a resize, and outlives the VM', async () => {
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
    await waitFor(async () => (await volumes.inRun(vm.name, id)).status === 'Ready', {
      timeoutMs: 20_000,
      what: 'the guest to have it',
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

describe('a VM and its volumes', () => {
  test('tell before a delete that the volume stays', async () => {
    const { id, name } = await volumes.made()
    const vm = await vms.create({ start: false, dataVolumeId: id })
    const impact = '{ vms { nodes { id deletionImpact { items { kind fate name sizeGi } } } } }'
    const { nodes } = (await tenant.admin.ask(impact)).vms
    const { items } = nodes.find((each: Json) => each.id === vm.id).deletionImpact
    expect(items).toContainEqual({ kind: 'volume', fate: 'kept', name, sizeGi: 1 })
  })

  test('part where the VM cannot be deployed in time, and the volume is free', async () => {
    const { id } = await volumes.made()
    await sandboxFaults(world.cluster).order('pace', { factor: 50 })
    const vm = await vms.create({ rootDisk: 'persistent', dataVolumeId: id })
    await world.database.sql(`update operation set deadline = now() where target_id = '${vm.id}'`)
    expect(await world.ended('deploy_vm', vm.id)).toMatchObject({ state: 'failed' })
    await sandboxFaults(world.cluster).order('pace', { factor: 0.1 })
    await volumes.inState(id, 'ready')
    expect(await volumes.row(id)).toMatchObject({ vm_id: null, held_by: null })
  })
})

describe('volumes', () => {
  test('count against the quota of storage, also while they grow', async () => {
    const narrow = await world.tenant()
    const quota =
      'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }'
    await world.root.ask(quota, { i: { id: narrow.id, storageGi: 3 } })
    const own = new VolumeActs(world, narrow)
    const { id } = await own.bound({ sizeGi: 2 })
    expect(await own.refusal('createVolume', { name: 'more', sizeGi: 2 })).toBe('quota_exceeded')
    expect(await own.refusal('updateVolume', { id, sizeGi: 4 })).toBe('quota_exceeded')
    expect((await own.ask('updateVolume', { id, sizeGi: 3 })).operation.state).toBe('succeeded')
    await own.ask('deleteVolume', { id })
    expect((await own.made({ sizeGi: 3 })).sizeGi).toBe(3)
  })

  test('are listed by name, searched, and found by state and VM; who may only look changes none', async () => {
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
    const looking = new VolumeActs(world, tenant, await tenant.as('viewer'))
    expect((await looking.read(one.id)).id).toBe(one.id)
    expect(await looking.refusal('deleteVolume', { id: one.id })).toBe('forbidden')
    expect(await looking.refusal('attachVolume', { id: one.id, vmId: one.id })).toBe('forbidden')
  })
})
