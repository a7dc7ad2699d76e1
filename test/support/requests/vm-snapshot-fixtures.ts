import { type Json } from '../json.ts'
import { type RouteFixture, type FixtureContext, by, under } from './request-fixture.ts'
import { aStoppedVm, vmShows } from './vm-fixtures.ts'
import { unique } from '../world/world.ts'

const snapshotShows = 'coverage consistency explanation disks taken_at'

/** Takes a snapshot of a VM with an ephemeral disk, so it covers only the settings. */
const aVmSnapshot = async (
  context: FixtureContext,
  name = unique('vm-snapshot'),
): Promise<Json> => {
  const { id: vmId } = await aStoppedVm(context)
  const document =
    'mutation ($i: CreateVmSnapshotInput!) { createVmSnapshot(input: $i) { vmSnapshot { id name } } }'
  const { createVmSnapshot } = await context.tenant.admin.ask(document, {
    i: { vmId, name, acceptMissing: true },
  })
  await context.world.ended('create_vm_snapshot', createVmSnapshot.vmSnapshot.id)
  return createVmSnapshot.vmSnapshot
}

export const vmSnapshotMakers = { vmSnapshot: aVmSnapshot }

/** A successful request for each REST route of VM snapshots. */
export const vmSnapshotFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/vm-snapshots': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-snapshots?filter=${(await aVmSnapshot(context)).name}`,
      shows: under('vm_snapshots', snapshotShows),
    }),
  },
  'GET /api/v1/vm-snapshots/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vm-snapshots/${(await aVmSnapshot(context)).id}`,
      shows: under('vm_snapshot', snapshotShows),
    }),
  },
  'POST /api/v1/vm-snapshots': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/vm-snapshots',
      body: { vm_name: (await aStoppedVm(context)).name, name: unique('vm-snapshot') },
    }),
  },
  'POST /api/v1/vm-snapshots/{id}/clone': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: `/vm-snapshots/${(await aVmSnapshot(context)).id}/clone`,
      body: { name: unique('clone'), start: false, keep: ['machine_id'] },
      shows: under('vm', vmShows),
    }),
  },
  'POST /api/v1/vm-snapshots/delete': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: '/vm-snapshots/delete',
      body: { name: (await aVmSnapshot(context)).name },
    }),
  },
  'POST /api/v1/vm-snapshots/restore': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: '/vm-snapshots/restore',
      body: { name: (await aVmSnapshot(context)).name },
    }),
  },
}
