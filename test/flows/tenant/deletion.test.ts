import { beforeAll, expect, test } from 'vitest'
import { ScheduleActions } from '../../support/actions/schedule-actions.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { VmSnapshotActions } from '../../support/actions/vm-snapshot-actions.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

let world: World
beforeAll(async () => void (world = await aWorld()))

const tables = [
  'vm',
  'volume',
  'volume_snapshot',
  'vm_snapshot',
  'snapshot_schedule',
  'vpc',
  'network',
] as const

const remove = 'mutation ($id: ID!) { deleteTenant(input: { id: $id }) { operation { id } } }'

test('the deletion of a tenant ends its VMs, volumes, snapshots and schedules, and leaves no work', async () => {
  const tenant = await world.tenant()
  const vms = await vmActions(tenant.admin)
  const volumes = new VolumeActions(world, tenant)
  const schedules = new ScheduleActions(world, tenant)
  const { id: volumeId } = await volumes.bound()
  const { id: vmId } = await vms.running({ rootDisk: 'persistent' })
  await volumes.askSnapshot('createVolumeSnapshot', { volumeId, name: unique('snap') })
  await new VmSnapshotActions(world, tenant).taken(vmId)
  for (const target of [{ volumeId }, { vmId }])
    await schedules.made({ ...target, cron: '* * * * *' })

  const present = async (table: string): Promise<number> =>
    (
      await world.database.sql(
        `select id from ${table} where tenant_id = '${tenant.id}' and gone_at is null`,
      )
    ).length
  for (const table of tables) expect(await present(table), table).toBeGreaterThan(0)
  await world.root.ask(remove, { id: tenant.id })
  expect(await world.ended('delete_tenant', tenant.id)).toMatchObject({ state: 'succeeded' })
  for (const table of tables) expect(await present(table), table).toBe(0)
  const work = `select kind from work where tenant_id = '${tenant.id}' and kind <> 'tenant'`
  await waitFor(async () => (await world.database.sql(work)).length === 0, {
    timeoutMs: 15_000,
    what: 'the work of the tenant to end',
  })
})
