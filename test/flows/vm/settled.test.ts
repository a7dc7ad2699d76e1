import { beforeAll, expect, test } from 'vitest'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { VmScenarios } from '../../support/scenarios/vm-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type World, aWorld, unique } from '../../support/world/world.ts'

let world: World
let vms: VmScenarios
beforeAll(async () => {
  world = await aWorld()
  vms = await VmScenarios.in(world)
})

type Table = 'vm' | 'volume'
const columnsOf = async (table: Table, id: string) => {
  const [row] = await world.database.sql(`select settled, version from ${table} where id = '${id}'`)
  return row
}
const isSettled = async (table: Table, id: string): Promise<boolean> =>
  (await columnsOf(table, id))?.settled === true
const settled = (table: Table, id: string): Promise<void> =>
  waitFor(() => isSettled(table, id), { timeoutMs: 20_000, what: `the ${table} to be settled` })

/** Runs the assignment in the database, and tells whether the row is settled after it. */
async function settledAfter(table: Table, id: string, assignment: string): Promise<unknown> {
  const rows = await world.database.sql(
    `update ${table} set ${assignment} where id = '${id}' returning settled`,
  )
  return rows[0]?.settled
}

const desired: Readonly<Record<Table, readonly string[]>> = {
  vm: ['generation', 'iso_inserted', 'restore_id', 'delete_requested_at', 'failed_at'],
  volume: ['size_gi', 'vm_id', 'delete_requested_at'],
}

test('a VM is settled again by the next reconcile after a desired column was written', async () => {
  const volumes = new VolumeActions(world, vms.tenant)
  const { volume } = await volumes.ask('createVolume', { name: unique('disk'), sizeGi: 1 })
  const vm = await vms.ready()
  for (const [table, id] of [['vm', vm] as const, ['volume', String(volume.id)] as const]) {
    await settled(table, id)
    expect(await settledAfter(table, id, 'observed_at = observed_at')).toBe(true)
    for (const column of desired[table])
      expect(await settledAfter(table, id, `${column} = ${column}, settled = true`)).toBe(false)
  }
  await anotherReplica(world, { worker: true })
  await settled('vm', vm)
})
