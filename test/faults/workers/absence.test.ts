import { beforeAll, expect, test } from 'vitest'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
let volumes: VolumeActions
let leave: () => Promise<void>
beforeAll(async () => {
  world = await aWorld({ worker: false })
  leave = (await anotherReplica(world, { worker: true })).stop
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
  volumes = new VolumeActions(world, tenant)
})

const objectOf = async (id: string): Promise<string> => {
  const { body } = await world.cluster.call(
    `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines?labelSelector=berth.dev/row-id=${id}`,
  )
  return body.items[0]?.metadata.uid ?? ''
}

/** Moves the times of all open work into the past, as if the worker had been away that long. */
async function passMinutes(minutes: number): Promise<void> {
  const ago = `interval '${minutes} minutes'`
  await world.database.sql(
    `update operation set created_at = created_at - ${ago}, started_at = started_at - ${ago}, deadline = deadline - ${ago}
      where finished_at is null`,
  )
  await world.database.sql(
    `update work set created_at = created_at - ${ago}, due_at = due_at - ${ago}, lease_until = lease_until - ${ago}`,
  )
}

test('everything that ran still runs after the only worker was away for 30 minutes, and every operation ends with the truth', async () => {
  const persistent = { rootDisk: 'persistent' }
  const [running, stopped, deleted] = await Promise.all([
    vms.running(persistent),
    vms.running(persistent),
    vms.running(persistent),
  ])
  await sandboxFaults(world.cluster).inject('pace', { factor: 50 })
  const begun = await vms.create(persistent)
  await waitFor(async () => (await objectOf(begun.id)) !== '', { what: 'the VM object' })
  const objects = new Map<string, string>()
  for (const { id } of [running, stopped, begun]) objects.set(id, await objectOf(id))
  await leave()

  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  const late = await vms.create(persistent)
  const { volume } = await volumes.ask('createVolume', { name: unique('vol'), sizeGi: 1 }, 0)
  await vms.ask('stopVm', stopped.id)
  await vms.ask('deleteVm', deleted.id)
  await passMinutes(30)
  await anotherReplica(world, { worker: true })

  const open = 'select kind, target_name from operation where finished_at is null'
  await waitFor(async () => (await world.database.sql(open)).length === 0, {
    timeoutMs: 30_000,
    what: 'every operation to end',
  })
  const ended = `select distinct state from operation where tenant_id = '${tenant.id}'`
  expect(await world.database.sql(ended)).toEqual([{ state: 'succeeded' }])
  for (const { id } of [running, begun, late]) await vms.inState(id, 'Running')
  await vms.inState(stopped.id, 'Stopped')
  await volumes.inState(volume.id, 'ready')
  expect(await vms.read(deleted.id)).toBeNull()
  for (const [id, uid] of objects) expect(await objectOf(id)).toBe(uid)
})
