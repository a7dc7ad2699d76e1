import { beforeAll, expect, test } from 'vitest'
import { type VmActions, vmActions } from '../../support/actions/vm-actions.ts'
import { type Json } from '../../support/json.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
let vms: VmActions
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
  vms = await vmActions(tenant.admin)
})

const objectsOf = async (path: string, id: string): Promise<Json[]> =>
  (
    await world.cluster.call(
      `${path.replace('*', `namespaces/${tenant.namespace}`)}?labelSelector=berth.dev/row-id=${id}`,
    )
  ).body.items
const claims = '/api/v1/*/persistentvolumeclaims'
const disks = '/apis/cdi.kubevirt.io/v1beta1/*/datavolumes'
const pathOf = ({ metadata }: Json, collection: string): string =>
  `${collection.replace('*', `namespaces/${tenant.namespace}`)}/${metadata.name}`

/** Waits until a pass that begins after this call has ended. */
async function anotherPass(id: string): Promise<void> {
  const [before] = await world.database.sql(
    `update work set due_at = now() where object_id = '${id}' returning lease_epoch as epoch`,
  )
  const ended = `select from work where object_id = '${id}' and lease_epoch > ${String(before?.['epoch'])} and lease_until is null`
  await waitFor(async () => (await world.database.sql(ended)).length === 1, {
    timeoutMs: 15_000,
    what: 'another pass of the reconciler',
  })
}

test('the deletion of a VM succeeds only when the claim of its disk is gone', async () => {
  const { id } = await vms.running({ rootDisk: 'persistent' })
  const [claim] = await objectsOf(claims, id)
  const keep = (finalizers: readonly string[]) =>
    world.cluster.call(pathOf(claim, claims), {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { metadata: { finalizers } },
    })
  expect((await keep(['example.org/backup'])).status).toBe(200)
  await vms.ask('deleteVm', id)
  await waitFor(async () => (await objectsOf(disks, id)).length === 0, {
    timeoutMs: 15_000,
    what: 'its DataVolume to be gone',
  })
  await anotherPass(id)
  expect(await vms.read(id)).toMatchObject({ state: 'Deleting' })
  await keep([])
  expect(await world.ended('delete_vm', id)).toMatchObject({ state: 'succeeded' })
  expect(await objectsOf(claims, id)).toEqual([])
})

test('the deletion of a VM succeeds when its disk and claim were removed in the cluster before', async () => {
  const { id } = await vms.running({ rootDisk: 'persistent' })
  await vms.ask('stopVm', id)
  await vms.inState(id, 'Stopped')
  for (const collection of [disks, claims])
    for (const object of await objectsOf(collection, id))
      await world.cluster.call(pathOf(object, collection), { method: 'DELETE' })
  await waitFor(async () => (await objectsOf(claims, id)).length === 0, { what: 'no claim' })
  await vms.ask('deleteVm', id)
  expect(await world.ended('delete_vm', id)).toMatchObject({ state: 'succeeded' })
})
