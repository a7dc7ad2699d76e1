import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let volumes: VolumeActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  volumes = new VolumeActions(world, tenant)
  await make.volume({ world, tenant })
})

describe('snapshots of volumes', () => {
  test('a snapshot becomes ready with the driver’s class and outlives its volume until it is deleted', async () => {
    const volume = await volumes.bound({ sizeGi: 2 })
    const name = unique('my-snap')
    const { volumeSnapshot: taken, operation } = await volumes.askSnapshot('createVolumeSnapshot', {
      volumeId: volume.id,
      name,
    })
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect(taken).toMatchObject({
      name,
      state: 'ready',
      volumeId: volume.id,
      sizeGi: 2,
    })
    const { body } = await volumes.snapshot(taken.id)
    expect(body).toMatchObject({
      spec: { volumeSnapshotClassName: 'fast-snap' },
      status: { readyToUse: true },
    })
    expect((await volumes.ask('deleteVolume', { id: volume.id })).operation.state).toBe('succeeded')
    expect(await volumes.readSnapshot(taken.id)).toMatchObject({
      state: 'ready',
      volumeName: volume.name,
      refusals: { restore: null },
    })
    const removed = await volumes.askSnapshot('deleteVolumeSnapshot', { id: taken.id })
    expect(removed.operation).toMatchObject({
      state: 'succeeded',
      steps: [{ state: 'done' }, { state: 'done' }],
    })
    expect([
      await volumes.readSnapshot(taken.id),
      (await volumes.snapshot(taken.id)).status,
    ]).toEqual([null, 404])
  })

  test('a snapshot is restored to a volume of its class that is as large or larger', async () => {
    const { id: volumeId } = await volumes.bound({ sizeGi: 2 })
    const { volumeSnapshot } = await volumes.askSnapshot('createVolumeSnapshot', {
      volumeId,
      name: unique('snap'),
    })
    const snapshotId = volumeSnapshot.id
    const same = await volumes.made({ snapshotId, sizeGi: null })
    expect(same).toMatchObject({ sizeGi: 2, storageClass: 'fast' })
    const larger = await volumes.bound({ snapshotId, sizeGi: 3 })
    expect(
      Number((await volumes.claim(larger.id)).body.status.capacity.storage),
    ).toBeGreaterThanOrEqual(3 * 2 ** 30)
    const refusal = (more: object) =>
      volumes.refusal('createVolume', { name: unique('vol'), snapshotId, ...more })
    expect(await refusal({ sizeGi: 1 })).toBe('invalid_input')
    expect(await refusal({ storageClass: 'local-path' })).toBe('invalid_input')
  })

  test('a snapshot is refused on storage without snapshots, with the class and the alternative', async () => {
    const { id: volumeId } = await volumes.made({ storageClass: 'local-path' })
    const { code, text } = await volumes.snapshotRefusal('createVolumeSnapshot', {
      volumeId,
      name: unique('snap'),
    })
    expect(code).toBe('snapshots_not_supported')
    expect(text).toContain('local-path')
    expect(text).toContain('another storage class')
  })

  test('a snapshot is refused for an unbound volume and under a used name', async () => {
    const { id } = await volumes.made({ storageClass: 'fast-wffc' })
    expect(
      (await volumes.snapshotRefusal('createVolumeSnapshot', { volumeId: id, name: 'x' })).code,
    ).toBe('wrong_state')
    const { id: volumeId } = await volumes.bound()
    const name = unique('snap')
    await volumes.askSnapshot('createVolumeSnapshot', { volumeId, name })
    expect((await volumes.snapshotRefusal('createVolumeSnapshot', { volumeId, name })).code).toBe(
      'already_exists',
    )
  })

  test('a snapshot that was deleted in the cluster becomes lost and is not taken again', async () => {
    const { id: volumeId } = await volumes.bound()
    const { volumeSnapshot } = await volumes.askSnapshot('createVolumeSnapshot', {
      volumeId,
      name: unique('snap'),
    })
    const path = `/apis/snapshot.storage.k8s.io/v1/namespaces/${tenant.namespace}/volumesnapshots/snap-${volumeSnapshot.id}`
    await world.cluster.call(path, { method: 'DELETE' })
    const isLost = async (): Promise<boolean> =>
      (await volumes.readSnapshot(volumeSnapshot.id)).state === 'lost'
    await waitFor(isLost, { timeoutMs: 15_000, what: 'the snapshot to be lost' })
    expect(
      await volumes.refusal('createVolume', { name: unique('vol'), snapshotId: volumeSnapshot.id }),
    ).toBe('wrong_state')
    expect(
      (await volumes.askSnapshot('deleteVolumeSnapshot', { id: volumeSnapshot.id })).operation
        .state,
    ).toBe('succeeded')
  })

  test('a snapshot that misses its deadline fails and leaves nothing', async () => {
    const { id: volumeId } = await volumes.bound()
    await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
    const { volumeSnapshot, operation } = await volumes.askSnapshot(
      'createVolumeSnapshot',
      { volumeId, name: unique('snap') },
      0,
    )
    await waitFor(async () => (await volumes.snapshot(volumeSnapshot.id)).status === 200, {
      what: 'the snapshot to exist',
    })
    expect(await volumes.refusal('deleteVolume', { id: volumeId })).toBe('in_use')
    await world.database.sql(
      `update operation set deadline = now(), deadline_seconds = 1 where id = '${operation.id}'`,
    )
    expect(await world.ended('create_volume_snapshot', volumeSnapshot.id)).toMatchObject({
      state: 'failed',
      fault_code: 'timeout',
    })
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    await waitFor(async () => (await volumes.snapshot(volumeSnapshot.id)).status === 404, {
      timeoutMs: 20_000,
      what: 'the snapshot to be removed',
    })
    expect(await volumes.readSnapshot(volumeSnapshot.id)).toMatchObject({
      state: 'failed',
      explanation: { code: 'failed' },
    })
    expect((await volumes.ask('deleteVolume', { id: volumeId })).operation.state).toBe('succeeded')
  })
})
