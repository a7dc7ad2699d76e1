import { beforeAll, describe, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { ScheduleActions } from '../../support/actions/schedule-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { VmSnapshotActions } from '../../support/actions/vm-snapshot-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let volumes: VolumeActions
let snapshots: VmSnapshotActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  volumes = new VolumeActions(world, tenant)
  snapshots = new VmSnapshotActions(world, tenant)
  await make.volume({ world, tenant })
})

const persistent = { rootDisk: 'persistent', bootDiskSizeGi: 1 }

describe('snapshots of a VM', () => {
  test('a snapshot of a running VM lists its disks and its consistency, and outlives the VM', async () => {
    const { id: volumeId } = await volumes.bound()
    const vm = await vms.running({ ...persistent, dataVolumeId: volumeId })
    await volumes.inState(volumeId, 'attached')
    const taken = await snapshots.taken(vm.id)
    expect(taken).toMatchObject({
      state: 'ready',
      origin: 'asked',
      vmName: vm.name,
      coverage: 'all_disks',
      explanation: null,
      cpu: 1,
    })
    expect(taken.disks).toEqual([
      { name: 'root', volumeId: null, sizeGi: 1, included: true, reason: null },
      { name: expect.any(String), volumeId, sizeGi: 1, included: true, reason: null },
    ])
    const { sourceIndications } = (await snapshots.object(taken.id)).body.status
    const hasAgent = sourceIndications.some(({ indication }: Json) => indication === 'GuestAgent')
    expect(taken.consistency).toBe(hasAgent ? 'application' : 'crash')
    await vms.ask('deleteVm', vm.id)
    await world.ended('delete_vm', vm.id)
    expect(await snapshots.countInCluster()).toEqual({ copies: 2, contents: 1 })
    expect((await snapshots.ask('deleteVmSnapshot', { id: taken.id })).operation.state).toBe(
      'succeeded',
    )
    expect(await snapshots.read(taken.id)).toBeNull()
    await waitFor(async () => (await snapshots.countInCluster()).copies === 0, {
      what: 'the copies of its disks to be gone',
    })
    expect(await snapshots.countInCluster()).toEqual({ copies: 0, contents: 0 })
  })

  test('a snapshot without disks is refused unless the request accepts settings only', async () => {
    const { id: volumeId } = await volumes.made({ storageClass: 'local-path' })
    const vm = await vms.running({ rootDisk: 'ephemeral', dataVolumeId: volumeId })
    await waitFor(async () => (await volumes.read(volumeId)).bound, {
      timeoutMs: 15_000,
      what: 'the volume to be bound',
    })
    const request = { vmId: vm.id, name: unique('snap') }
    const { code, text } = await snapshots.refusal('createVmSnapshot', request)
    expect(code).toBe('snapshots_not_supported')
    expect(text).toMatch(
      /only its settings and lack root \(\d+ GiB, ephemeral\), .*1 GiB, its storage class offers no snapshots.*acceptMissing/,
    )
    expect(
      await volumes.snapshotRefusal('createVolumeSnapshot', { volumeId, name: unique('snap') }),
    ).toMatchObject({
      code: 'snapshots_not_supported',
      text: expect.stringContaining('another storage class'),
    })
    const taken = await snapshots.taken(vm.id, { acceptMissing: true })
    expect(taken).toMatchObject({
      state: 'ready',
      coverage: 'settings_only',
      explanation: { code: 'settings_only' },
    })
    expect(taken.disks.map(({ reason }: Json) => reason)).toEqual(['forgets', 'storage_class'])
    expect(
      await snapshots.refusal('cloneVmSnapshot', { snapshotId: taken.id, name: unique('copy') }),
    ).toMatchObject({ code: null })
  })

  test('a snapshot is refused during another one, and blocks changes of its VM', async () => {
    const vm = await vms.running({ rootDisk: 'ephemeral' })
    await sandboxFaults(world.cluster).inject('pace', { factor: 20 })
    const request = { vmId: vm.id, name: unique('snap'), acceptMissing: true }
    const { vmSnapshot } = await snapshots.ask('createVmSnapshot', request, 0)
    const { vm: shown } = await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { busyWith actions { action allowed } } }',
      { id: vm.id },
    )
    expect(shown.busyWith).toBe('snapshot')
    expect((await snapshots.read(vmSnapshot.id)).refusals.use).toContain('still being taken')
    const allowed = shown.actions
      .filter((each: Json) => each.allowed)
      .map(({ action }: Json) => action)
    expect(allowed.sort()).toEqual(['delete', 'openConsole', 'rename', 'resize'])
    expect(
      (await snapshots.refusal('createVmSnapshot', { ...request, name: unique('snap') })).code,
    ).toBe('wrong_state')
    expect(
      (
        await tenant.admin.graphql(
          'mutation ($id: ID!) { stopVm(input: { id: $id }) { vm { id } } }',
          { id: vm.id },
        )
      ).code,
    ).toBe('wrong_state')
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    expect(await world.ended('create_vm_snapshot', vmSnapshot.id)).toMatchObject({
      state: 'succeeded',
    })
    await vms.ask('stopVm', vm.id)
    await vms.inState(vm.id, 'Stopped')
  })

  test('a snapshot fails at once when its VM is deleted first, and leaves nothing', async () => {
    const vm = await vms.running({ rootDisk: 'ephemeral' })
    const keeper = { controller: 'vmsnapshot-controller' }
    await sandboxFaults(world.cluster).inject('controllers/hold', keeper)
    const { vmSnapshot } = await snapshots.ask(
      'createVmSnapshot',
      { vmId: vm.id, name: unique('snap'), acceptMissing: true },
      0,
    )
    await vms.ask('deleteVm', vm.id)
    await world.ended('delete_vm', vm.id)
    await sandboxFaults(world.cluster).inject('controllers/release', keeper)
    const {
      state,
      fault_code: code,
      fault_detail: detail,
    } = await world.ended('create_vm_snapshot', vmSnapshot.id)
    expect([state, code, detail]).toEqual([
      'failed',
      'conflict',
      expect.objectContaining({ text: expect.stringContaining('VM was deleted before') }),
    ])
    expect(await snapshots.read(vmSnapshot.id)).toMatchObject({ state: 'failed' })
    await waitFor(async () => (await snapshots.object(vmSnapshot.id)).status === 404, {
      what: 'the leftovers to be removed',
    })
  })
})

describe('restores', () => {
  test('a restore stops the VM on request, takes a safety snapshot and keeps the names of disks', async () => {
    const { id: volumeId } = await volumes.bound()
    const vm = await vms.running({ ...persistent, dataVolumeId: volumeId })
    await volumes.inState(volumeId, 'attached')
    const { id } = await snapshots.taken(vm.id)
    expect((await snapshots.refusal('restoreVm', { vmId: vm.id, snapshotId: id })).code).toBe(
      'wrong_state',
    )
    const claim = (await volumes.claim(volumeId)).body.metadata.uid
    const { safetySnapshot } = await snapshots.restored(vm.id, id, { stop: true })
    await vms.inState(vm.id, 'Stopped')
    expect(await snapshots.read(safetySnapshot.id)).toMatchObject({
      origin: 'safety',
      state: 'ready',
      consistency: 'powered_off',
      refusals: { use: null },
    })
    const now = (await volumes.claim(volumeId)).body.metadata
    expect(now.uid).not.toBe(claim)
    expect(now.ownerReferences).toMatchObject([{ kind: 'DataVolume', name: `vol-${volumeId}` }])
    await volumes.inState(volumeId, 'attached')
    await vms.ask('startVm', vm.id)
    await vms.inState(vm.id, 'Running')
    await waitFor(async () => (await volumes.inVmi(vm.name, volumeId)).status === 'Ready', {
      timeoutMs: 15_000,
      what: 'the guest to have the volume',
    })
    await snapshots.restored(vm.id, safetySnapshot.id, { stop: true, safetySnapshot: false })
    await vms.ask('deleteVm', vm.id)
    await world.ended('delete_vm', vm.id)
    await volumes.inState(volumeId, 'ready')
    expect((await volumes.ask('deleteVolume', { id: volumeId })).operation.state).toBe('succeeded')
  })

  test('a VM with a lost volume is restored without a safety snapshot, as the refusal says', async () => {
    const { id: volumeId } = await volumes.bound()
    const vm = await vms.create({ ...persistent, start: false, dataVolumeId: volumeId })
    await world.ended('deploy_vm', vm.id)
    await volumes.inState(volumeId, 'attached')
    const { id: snapshotId } = await snapshots.taken(vm.id)
    const path = `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes/vol-${volumeId}`
    await world.cluster.call(path, { method: 'DELETE' })
    await volumes.inState(volumeId, 'lost')
    const request = { vmId: vm.id, name: unique('snap') }
    expect(await snapshots.refusal('createVmSnapshot', request)).toMatchObject({
      code: 'wrong_state',
      text: expect.stringMatching(/removed outside.*unless you want to restore/),
    })
    const restore = { vmId: vm.id, snapshotId }
    expect(await snapshots.refusal('restoreVm', restore)).toMatchObject({
      code: 'wrong_state',
      text: expect.stringMatching(/removed outside.*without a safety snapshot/),
    })
    expect(
      await snapshots.refusal('restoreVm', { ...restore, safetySnapshot: false }),
    ).toMatchObject({ code: null })
    await world.ended('restore_vm', vm.id)
  })
})

describe('clones', () => {
  test('a clone is another VM with the same disk content and its own identity', async () => {
    const { id: volumeId, name: volume } = await volumes.bound()
    const vm = await vms.running({ ...persistent, dataVolumeId: volumeId })
    await volumes.inState(volumeId, 'attached')
    const { id: snapshotId } = await snapshots.taken(vm.id)
    const { vm: copy, operation } = await snapshots.ask('cloneVmSnapshot', {
      snapshotId,
      name: 'copy',
    })
    expect(operation.state).toBe('succeeded')
    await vms.inState(copy.id, 'Running')
    const [own] = await world.database.sql(
      `select id, vm_id, state from volume where name = 'copy-${volume}'`,
    )
    expect(own).toMatchObject({ vm_id: copy.id })
    await volumes.inState(String(own?.id), 'attached')
    const [{ mac }]: Json = await world.database.sql(`select mac from nic where vm_id = '${vm.id}'`)
    expect(copy.mac).not.toBe(mac)
    const secret: Json = (
      await world.cluster.call(`/api/v1/namespaces/${tenant.namespace}/secrets/vm-${copy.id}-init`)
    ).body
    const userData = Buffer.from(secret.data.userdata, 'base64').toString()
    expect(userData).toMatch(/hostname: copy\n/)
    expect(userData).toMatch(/ssh_deletekeys: true/)
    expect(userData).toMatch(/machine-id-setup/)
    expect((await snapshots.ask('deleteVmSnapshot', { id: snapshotId })).operation.state).toBe(
      'succeeded',
    )
    await vms.ask('deleteVm', copy.id)
    await world.ended('delete_vm', copy.id)
  })
})

test('the deletion impact of a volume and of its VM matches the deletion', async () => {
  const { id: volumeId, name: volume } = await volumes.bound()
  const vm = await vms.create({ start: false, dataVolumeId: volumeId })
  await world.ended('deploy_vm', vm.id)
  await volumes.inState(volumeId, 'attached')
  const { id: snapshotId } = await snapshots.taken(vm.id)
  await volumes.askSnapshot('createVolumeSnapshot', { volumeId, name: unique('copy') })
  const schedules = new ScheduleActions(world, tenant)
  const { id: scheduleId, name: schedule } = await schedules.made({ volumeId })
  const shown = 'deletionImpact { refusal items { kind fate name sentence } }'
  const ofVolume = async (): Promise<Json> =>
    (await tenant.admin.ask(`query ($id: ID!) { volume(id: $id) { ${shown} } }`, { id: volumeId }))
      .volume.deletionImpact
  const ofVm = (
    await tenant.admin.ask(`query ($id: ID!) { vm(id: $id) { ${shown} } }`, { id: vm.id })
  ).vm.deletionImpact
  expect(ofVm.items).toContainEqual(expect.objectContaining({ kind: 'vm_snapshot', fate: 'kept' }))
  const { refusal, items } = await ofVolume()
  expect(refusal).toContain('detach it first')
  expect(items.map(({ kind, fate, name }: Json) => [kind, fate, name])).toEqual([
    ['content', 'lost', volume],
    ['snapshot_schedule', 'lost', schedule],
    ['name', 'released', volume],
    ['volume_snapshot', 'kept', null],
    ['vm_snapshot', 'kept', null],
    ['record', 'kept', null],
  ])
  expect((await volumes.ask('detachVolume', { id: volumeId })).operation.state).toBe('succeeded')
  expect((await ofVolume()).refusal).toBeNull()
  expect((await volumes.ask('deleteVolume', { id: volumeId })).operation.state).toBe('succeeded')
  expect(await schedules.read(scheduleId)).toBeNull()
  expect(await snapshots.refusal('restoreVm', { vmId: vm.id, snapshotId })).toMatchObject({
    code: 'wrong_state',
  })
  const named = { vmId: vm.id, vmName: vm.name, snapshotId }
  expect(await snapshots.refusal('restoreVm', named)).toMatchObject({
    code: 'invalid_input',
    text: expect.stringContaining('send at most one of the two'),
  })
  await vms.ask('deleteVm', vm.id)
  await world.ended('delete_vm', vm.id)
  expect(await snapshots.refusal('restoreVm', { snapshotId })).toMatchObject({ code: 'not_found' })
  const { operation, vm: copy } = await snapshots.ask('cloneVmSnapshot', {
    snapshotId,
    name: unique('copy'),
    start: false,
  })
  expect(operation.state).toBe('succeeded')
  const isIn = async (): Promise<boolean> =>
    (
      await world.database.sql(
        `select from volume where vm_id = '${copy.id}' and state = 'attached'`,
      )
    ).length === 1
  await waitFor(isIn, { timeoutMs: 20_000, what: 'the copy of the volume to be in the new VM' })
})

test('snapshots of volumes and of VMs count against one quota', async () => {
  const small = await world.tenant()
  const own = {
    volumes: new VolumeActions(world, small),
    snapshots: new VmSnapshotActions(world, small),
  }
  const document =
    'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { quota { resource limit used } } } }'
  const { id: volumeId } = await own.volumes.bound()
  await own.volumes.askSnapshot('createVolumeSnapshot', { volumeId, name: 'one' })
  const { updateTenantQuota } = await world.root.ask(document, {
    i: { id: small.id, snapshots: 2 },
  })
  expect(updateTenantQuota.tenant.quota).toContainEqual({
    resource: 'snapshots',
    limit: 2,
    used: 1,
  })
  const vm = await (await vmActions(small.admin)).running()
  const take = (name: string) =>
    own.snapshots.refusal('createVmSnapshot', { vmId: vm.id, name, acceptMissing: true })
  expect((await take('two')).code).toBeNull()
  const [two] = await world.database.sql(
    `select id from vm_snapshot where tenant_id = '${small.id}'`,
  )
  await world.ended('create_vm_snapshot', String(two?.id))
  expect((await take('three')).code).toBe('quota_exceeded')
  expect(
    (await own.volumes.snapshotRefusal('createVolumeSnapshot', { volumeId, name: 'three' })).code,
  ).toBe('quota_exceeded')
})
