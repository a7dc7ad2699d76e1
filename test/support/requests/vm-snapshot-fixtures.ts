import { type Json } from '../json.ts'
import { type Act, type Place, by } from './request-fixture.ts'
import { makeVm } from './vm-fixtures.ts'
import { unique } from '../world/world.ts'

/** Of one that forgets with each stop, so of its settings only. */
export const aVmSnapshot = async (place: Place, name = unique('vm-snapshot')): Promise<Json> => {
  const { id: vmId } = await makeVm.stopped(place)
  const document =
    'mutation ($i: CreateVmSnapshotInput!) { createVmSnapshot(input: $i) { vmSnapshot { id name } } }'
  const { createVmSnapshot } = await place.tenant.admin.ask(document, {
    i: { vmId, name, acceptMissing: true },
  })
  await place.world.ended('create_vm_snapshot', createVmSnapshot.vmSnapshot.id)
  return createVmSnapshot.vmSnapshot
}

export const vmSnapshotActs: Readonly<Record<string, Act>> = {
  'GET /api/v1/vm-snapshots': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vm-snapshots?filter=${(await aVmSnapshot(place)).name}`,
    }),
  },
  'POST /api/v1/vm-snapshots': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: '/vm-snapshots',
      body: { vm_name: (await makeVm.stopped(place)).name, name: unique('vm-snapshot') },
    }),
  },
  'POST /api/v1/vm-snapshots/delete': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: '/vm-snapshots/delete',
      body: { name: (await aVmSnapshot(place)).name },
    }),
  },
  'POST /api/v1/vm-snapshots/restore': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: '/vm-snapshots/restore',
      body: { name: (await aVmSnapshot(place)).name },
    }),
  },
}
