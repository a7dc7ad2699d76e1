import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { ScheduleActions } from '../../support/actions/schedule-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let volumes: VolumeActions
let schedules: ScheduleActions
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  volumes = new VolumeActions(world, tenant)
  schedules = new ScheduleActions(world, tenant)
  await make.volume({ world, tenant })
})

const allowed = { pause: null, update: null, delete: null }

describe('snapshot schedules', () => {
  test('a schedule takes one snapshot for all missed runs, retains its own and ignores the rest', async () => {
    const { id: volumeId } = await volumes.bound()
    const { volumeSnapshot: own } = await volumes.askSnapshot('createVolumeSnapshot', {
      volumeId,
      name: unique('own'),
    })
    const { id, name, ...made } = await schedules.made({
      volumeId,
      cron: '0 * * * *',
      timeZone: 'europe/lisbon',
      keep: 2,
    })
    expect(made).toMatchObject({
      state: 'active',
      timeZone: 'Europe/Lisbon',
      ownerName: expect.stringMatching(/-admin$/),
      explanation: null,
    })
    expect(made).toMatchObject({
      volumeId,
      vmId: null,
      lastRunAt: null,
      refusals: { ...allowed, resume: expect.any(String) },
    })
    expect(Date.parse(made.nextRunAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const first = await schedules.ran(id, 72)
    expect(first).toMatchObject({ failuresInRow: 0, lastFailure: null })
    expect(Date.parse(first.nextRunAt)).toBeGreaterThan(Date.now())
    const [one, ...more] = await schedules.retained(id)
    expect(one).toMatchObject({ id: first.lastSnapshotId, state: 'ready' })
    expect(one?.['name']).toBe(
      `${name}-${String(first.lastDueAt).slice(0, 16).replaceAll(/\D/g, '')}`,
    )
    expect(more).toEqual([])
    const second = await schedules.ran(id, 48)
    const third = await schedules.ran(id, 24)
    expect((await schedules.retained(id)).map((snapshot) => snapshot['id'])).toEqual([
      second.lastSnapshotId,
      third.lastSnapshotId,
    ])
    await world.ended('delete_volume_snapshot', first.lastSnapshotId)
    expect(await volumes.readSnapshot(own.id)).toMatchObject({ state: 'ready' })
    const [operation] = await world.database.sql(
      `select actor_name from operation where target_id = '${third.lastSnapshotId}'`,
    )
    expect(operation).toEqual({ actor_name: 'platform' })
    // A unique key refuses a second snapshot for the same run.
    const again = `update volume_snapshot set due_at = '${third.lastDueAt}' where id = '${second.lastSnapshotId}'`
    await expect(world.database.sql(again)).rejects.toThrow('volume_snapshot_run_key')
  })

  test('a schedule that fails three times in a row stops with a reason and keeps its good snapshot', async () => {
    const small = await world.tenant()
    const own = {
      volumes: new VolumeActions(world, small),
      schedules: new ScheduleActions(world, small),
    }
    const { id: volumeId } = await own.volumes.bound()
    const { id } = await own.schedules.made({ volumeId, keep: 1 })
    const good = await own.schedules.ran(id, 200)
    const quota = (snapshots: number | null) =>
      world.root.ask(
        'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }',
        {
          i: { id: small.id, snapshots },
        },
      )
    await quota(1)
    for (const failure of [1, 2])
      expect(await own.schedules.ran(id, 200 - 10 * failure)).toMatchObject({
        state: 'active',
        failuresInRow: failure,
        lastFailure: { code: 'quota_exceeded' },
        explanation: {
          code: 'failing',
          whoCanFix: 'you',
          summary: expect.stringContaining('quota'),
        },
      })
    expect(await own.schedules.ran(id, 100)).toMatchObject({
      state: 'stopped',
      nextRunAt: null,
      failuresInRow: 3,
      explanation: { code: 'stopped', whoCanFix: 'you' },
      refusals: { pause: expect.stringContaining('stopped'), resume: null },
    })
    expect((await own.schedules.retained(id)).map((snapshot) => snapshot['id'])).toEqual([
      good.lastSnapshotId,
    ])
    await quota(5)
    const resumed = await own.schedules.ask('resumeSnapshotSchedule', { id })
    expect(resumed).toMatchObject({ state: 'active' })
    expect(Date.parse(resumed.nextRunAt)).toBeGreaterThan(Date.now())
    const after = await own.schedules.ran(id, 50)
    expect(after).toMatchObject({
      state: 'active',
      failuresInRow: 0,
      lastFailure: null,
      explanation: null,
    })
    await waitFor(async () => (await own.schedules.retained(id)).length === 1, {
      what: 'the old snapshot to be deleted',
    })
    expect((await own.schedules.retained(id))[0]).toMatchObject({ id: after.lastSnapshotId })
  })

  test('a run fails when its snapshot is late, and the next run removes the leftovers', async () => {
    const { id: volumeId } = await volumes.bound()
    const { id } = await schedules.made({ volumeId, keep: 1 })
    await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
    const before = await schedules.read(id)
    await schedules.missed(id, 10)
    const isBegun = async (): Promise<boolean> => (await schedules.read(id)).lastSnapshotId !== null
    await waitFor(isBegun, { timeoutMs: 10_000, what: 'the run to begin' })
    const { lastSnapshotId } = await schedules.read(id)
    await waitFor(async () => (await volumes.snapshot(lastSnapshotId)).status === 200, {
      what: 'the snapshot to exist',
    })
    await world.database.sql(
      `update operation set deadline = now(), deadline_seconds = 1 where target_id = '${lastSnapshotId}'`,
    )
    expect(await schedules.hasRun(id, before)).toMatchObject({
      failuresInRow: 1,
      lastFailure: { code: 'timeout' },
      explanation: { code: 'failing', whoCanFix: 'operator' },
    })
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    const next = await schedules.ran(id, 5)
    expect(next).toMatchObject({ failuresInRow: 0 })
    expect((await schedules.retained(id)).map((snapshot) => snapshot['id'])).toEqual([
      next.lastSnapshotId,
    ])
    await world.ended('delete_volume_snapshot', lastSnapshotId)
  })

  test('a paused schedule takes no snapshot and does not catch up on missed runs', async () => {
    const { id: volumeId } = await volumes.bound()
    const { id } = await schedules.made({ volumeId })
    expect(await schedules.ask('pauseSnapshotSchedule', { id })).toMatchObject({
      state: 'paused',
      nextRunAt: null,
      explanation: { code: 'paused' },
    })
    expect((await schedules.refusal('pauseSnapshotSchedule', { id })).code).toBe('wrong_state')
    await schedules.missed(id, 20)
    expect(await schedules.ask('resumeSnapshotSchedule', { id })).toMatchObject({
      state: 'active',
      lastRunAt: null,
    })
    expect(await schedules.retained(id)).toEqual([])
    // The positive control: an active schedule does run.
    await schedules.ran(id, 20)
    const [audit] = await world.database.sql(
      `select operation, target_kind, outcome from audit_event where target_id = '${id}' and operation = 'pauseSnapshotSchedule' order by outcome limit 1`,
    )
    expect(audit).toMatchObject({ target_kind: 'snapshot_schedule' })
  })

  test('a schedule of a VM covers the supported disks and ends with the VM, and its snapshots stay', async () => {
    const vm = await vms.running({ rootDisk: 'ephemeral' })
    const { code } = await schedules.refusal('createSnapshotSchedule', {
      name: 'settings',
      vmId: vm.id,
      cron: '0 0 * * *',
      keep: 1,
    })
    expect(code).toBe('snapshots_not_supported')
    const { id, name } = await schedules.made({ vmId: vm.id, acceptMissing: true })
    const { lastSnapshotId } = await schedules.ran(id, 3)
    expect(await schedules.retained(id, 'vmSnapshots')).toMatchObject([
      { id: lastSnapshotId, state: 'ready' },
    ])
    const impact = await tenant.admin.ask(
      'query ($id: ID!) { vm(id: $id) { deletionImpact { items { kind fate name } } } }',
      { id: vm.id },
    )
    expect(impact.vm.deletionImpact.items).toContainEqual({
      kind: 'snapshot_schedule',
      fate: 'lost',
      name,
    })
    await vms.ask('deleteVm', vm.id)
    expect(await schedules.read(id)).toBeNull()
    await world.ended('delete_vm', vm.id)
    expect(await schedules.retained(id, 'vmSnapshots')).toMatchObject([
      { id: lastSnapshotId, state: 'ready' },
    ])
  })

  test('a schedule ends with its volume or when it is deleted', async () => {
    const { id: volumeId } = await volumes.made()
    const [one, other] = [await schedules.made({ volumeId }), await schedules.made({ volumeId })]
    expect(await schedules.ask('deleteSnapshotSchedule', { id: one.id })).toMatchObject({
      id: one.id,
    })
    expect([await schedules.read(one.id), await schedules.read(other.id)]).toMatchObject([
      null,
      { targetName: expect.any(String) },
    ])
    expect((await volumes.ask('deleteVolume', { id: volumeId })).operation.state).toBe('succeeded')
    expect(await schedules.read(other.id)).toBeNull()
  })

  test('a list of schedules is filtered by the kind of target', async () => {
    const [{ id: volumeId }, vm] = await Promise.all([
      volumes.made(),
      vms.running({ rootDisk: 'ephemeral' }),
    ])
    const made = [
      await schedules.made({ volumeId }),
      await schedules.made({ vmId: vm.id, acceptMissing: true }),
    ]
    const listed = async (target: string): Promise<string[]> => {
      const query = `{ snapshotSchedules(first: 100, filter: { target: ${target} }) { totalCount nodes { id } } }`
      const { nodes, totalCount } = (await tenant.admin.ask(query)).snapshotSchedules
      expect(totalCount).toBe(nodes.length)
      return nodes
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => made.some((one) => one.id === id))
    }
    expect([await listed('volume'), await listed('vm')]).toEqual([[made[0]?.id], [made[1]?.id]])
  })

  test('the next three run times are computed before a schedule exists, and bad input is refused', async () => {
    const times =
      'query ($cron: String!, $timeZone: String!) { snapshotScheduleTimes(cron: $cron, timeZone: $timeZone) }'
    const { snapshotScheduleTimes: found } = await tenant.admin.ask(times, {
      cron: '30 2 * * mon',
      timeZone: 'Asia/Kathmandu',
    })
    expect(found).toHaveLength(3)
    for (const time of found) expect(new Date(time).toUTCString()).toMatch(/^Sun, .* 20:45:00 GMT$/)
    expect(found).toEqual(found.toSorted())
    expect(Date.parse(found[0])).toBeGreaterThan(Date.now())
    const never = await tenant.admin.ask(times, { cron: '0 0 30 2 *', timeZone: 'UTC' })
    expect(never.snapshotScheduleTimes).toEqual([])
    expect((await tenant.admin.graphql(times, { cron: '0 99 * * *', timeZone: 'UTC' })).code).toBe(
      'invalid_input',
    )
    expect(
      (await tenant.admin.graphql(times, { cron: '0 0 * * *', timeZone: 'Moon/Crater' })).code,
    ).toBe('invalid_input')
  })

  test('a schedule is refused with an invalid field or without permission', async () => {
    const { id: volumeId } = await volumes.made()
    const code = async (i: object) =>
      (
        await schedules.refusal('createSnapshotSchedule', {
          name: unique('x'),
          volumeId,
          cron: '0 0 * * *',
          keep: 1,
          ...i,
        })
      ).code
    expect(await code({ cron: '0 0 30 2 *' })).toBe('invalid_input')
    expect(await code({ cron: '99 * * * *' })).toBe('invalid_input')
    expect(await code({ timeZone: 'Moon/Crater' })).toBe('invalid_input')
    expect(await code({ keep: 0 })).toBe('invalid_input')
    expect(await code({ volumeId: null })).toBe('invalid_input')
    expect(await code({ name: 'x'.repeat(38) })).toBe('invalid_input')
    const { id: local } = await volumes.made({ storageClass: 'local-path' })
    expect(await code({ volumeId: local })).toBe('snapshots_not_supported')
    const viewer = new ScheduleActions(world, tenant, await tenant.as('viewer'))
    expect(
      (
        await viewer.refusal('createSnapshotSchedule', {
          name: 'x',
          volumeId,
          cron: '0 0 * * *',
          keep: 1,
        })
      ).code,
    ).toBe('forbidden')
  })
})
