import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type Act, type Place, by, madeBy, under } from './request-fixture.ts'
import { makeVm } from './vm-fixtures.ts'
import { unique } from '../world/world.ts'

/** The cluster tells a moment after the start which storage it has. */
async function storageKnown({ tenant }: Place): Promise<void> {
  const isKnown = async (): Promise<boolean> =>
    (await tenant.admin.graphql('{ storageClasses { name } }')).code === null
  await waitFor(isKnown, { timeoutMs: 15_000, what: 'the storage to be known' })
}

export const aVolume = async (place: Place, name = unique('volume')): Promise<Json> => {
  await storageKnown(place)
  return (await madeBy(place.tenant.admin, '/volumes', { name, size_gi: 1 })).volume
}

/** One that takes room, so that there is something to take a snapshot of. */
async function aBoundVolume(place: Place): Promise<Json> {
  const volume = await aVolume(place)
  const document = 'query ($id: ID!) { volume(id: $id) { bound } }'
  const isBound = async (): Promise<boolean> =>
    (await place.tenant.admin.ask(document, { id: volume.id })).volume.bound
  await waitFor(isBound, { timeoutMs: 15_000, what: 'the volume to be bound' })
  return volume
}

export const aSnapshot = async (place: Place, name = unique('snapshot')): Promise<Json> => {
  const { id } = await aBoundVolume(place)
  const made = await madeBy(place.tenant.admin, '/snapshots', { volume_id: id, name })
  await place.world.ended('create_volume_snapshot', made.snapshot.id)
  return made.snapshot
}

async function anAttachedVolume(place: Place): Promise<{ vm: Json; volume: Json }> {
  const [vm, volume] = [await makeVm.stopped(place), await aVolume(place)]
  const answer = await place.tenant.admin.rest('POST', `/vms/${vm.name}/volumes`, {
    body: { volume_id: volume.id },
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return { vm, volume }
}

export const volumeActs: Readonly<Record<string, Act>> = {
  'GET /api/v1/volumes': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/volumes?filter=${(await aVolume(place)).name}`,
    }),
  },
  'GET /api/v1/volumes/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/volumes/${(await aVolume(place)).id}`,
    }),
  },
  'POST /api/v1/volumes': {
    ...by.admin,
    status: 201,
    arrange: async (place) => {
      await storageKnown(place)
      return {
        path: '/volumes',
        body: { name: unique('volume'), size_gi: 2 },
      }
    },
  },
  'PATCH /api/v1/volumes/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/volumes/${(await aBoundVolume(place)).id}`,
      body: { name: unique('volume'), size_gi: 2 },
    }),
  },
  'DELETE /api/v1/volumes/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/volumes/${(await aVolume(place)).id}`,
    }),
  },
  'GET /api/v1/vms/{name}/volumes': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await anAttachedVolume(place)).vm.name}/volumes`,
      shows: under('volumes', 'vm_id'),
    }),
  },
  'POST /api/v1/vms/{name}/volumes': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/vms/${(await makeVm.stopped(place)).name}/volumes`,
      body: { volume_id: (await aVolume(place)).id },
      shows: under('volume', 'vm_id'),
    }),
  },
  'DELETE /api/v1/vms/{name}/volumes/{volume_id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => {
      const { vm, volume } = await anAttachedVolume(place)
      return { path: `/vms/${vm.name}/volumes/${volume.id}` }
    },
  },
  'GET /api/v1/snapshots': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/snapshots?filter=${(await aSnapshot(place)).name}`,
    }),
  },
  'GET /api/v1/snapshots/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (place) => ({
      path: `/snapshots/${(await aSnapshot(place)).id}`,
    }),
  },
  'POST /api/v1/snapshots': {
    ...by.admin,
    status: 201,
    arrange: async (place) => ({
      path: '/snapshots',
      body: { volume_id: (await aBoundVolume(place)).id, name: unique('snapshot') },
    }),
  },
  'DELETE /api/v1/snapshots/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (place) => ({
      path: `/snapshots/${(await aSnapshot(place)).id}`,
    }),
  },
}
