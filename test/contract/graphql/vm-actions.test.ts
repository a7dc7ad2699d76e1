import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { permissionFor, vmActions } from '../../../server/src/domain/vm/lifecycle.ts'
import { requirementsOf } from '../../../server/src/edge/graphql/authorize.ts'
import { adminOf, aGraphWorld } from '../../support/world/graphql-world.ts'
import { type Json } from '../../support/json.ts'

/** The mutations whose names do not follow from the action. */
const mutationOf: Readonly<Record<string, string>> = {
  acceptDrift: 'acceptVmDrift',
  attachNetwork: 'attachNetwork',
  attachVolume: 'attachVolume',
  detachNetwork: 'detachNetwork',
  detachVolume: 'detachVolume',
  ejectIso: 'ejectVmIso',
  forceStop: 'stopVm',
  openConsole: 'createVmConsoleTicket',
  rename: 'updateVm',
  resize: 'updateVm',
  revertDrift: 'revertVmDrift',
  snapshot: 'createVmSnapshot',
}

test.each(vmActions.map((action) => [action, mutationOf[action] ?? `${action}Vm`] as const))(
  'the action %s of a VM needs the permission of the mutation %s',
  (action, name) => {
    const mutation = buildBerthSchema().getMutationType()?.getFields()[name]
    expect([name, mutation && requirementsOf(mutation)]).toEqual([name, [permissionFor(action)]])
  },
)

test('the actions of a VM name the permission that the caller lacks', async () => {
  await using world = await aGraphWorld()
  const { id: tenantId, token } = await world.aTenant()
  await world.database.sql(
    `insert into vm (id, tenant_id, name, display_name, template_name, image, os_type, cpu, memory_mi, root_disk, boot_disk_size_gi, user_data, state)
      values ('${randomUUID()}', '${tenantId}', 'web', 'Web', 'Ubuntu', 'quay.io/x', 'linux', 1, 64, 'ephemeral', 1, '', 'Running')`,
  )
  world.viewers.set('reader', { ...adminOf(tenantId), permissions: new Set(['vms:read']) })
  const actionsFor = async (as: string): Promise<Json[]> => {
    const query = '{ vms(first: 1) { nodes { actions { action allowed refusal } } } }'
    return (await world.post({ query }, { token: as })).json.data.vms.nodes[0].actions
  }
  for (const { action, allowed, refusal } of await actionsFor('reader'))
    expect([action, allowed, refusal]).toEqual([
      action,
      false,
      expect.stringContaining(`needs the permission ${permissionFor(action)}`),
    ])
  const allowed = (await actionsFor(token)).filter((each) => each.allowed)
  expect(allowed.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['stop', 'delete', 'openConsole']),
  )
})
