import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type RouteFixture, type FixtureContext, by, madeBy, under } from './request-fixture.ts'
import { aStoppedVm } from './vm-fixtures.ts'
import { unique } from '../world/world.ts'

const scheduleShows = 'volume_id next_run_at'

/** Waits until Berth has discovered the storage classes, shortly after the start. */
async function storageKnown({ tenant }: FixtureContext): Promise<void> {
  const isKnown = async (): Promise<boolean> =>
    (await tenant.admin.graphql('{ storageClasses { name } }')).code === null
  await waitFor(isKnown, { timeoutMs: 15_000, what: 'the storage to be known' })
}

const aVolume = async (context: FixtureContext, name = unique('volume')): Promise<Json> => {
  await storageKnown(context)
  return (await madeBy(context.tenant.admin, '/volumes', { name, size_gi: 1 })).volume
}

/** Creates a volume and waits until its PVC is bound. Only a bound volume can be snapshotted. */
async function aBoundVolume(context: FixtureContext): Promise<Json> {
  const volume = await aVolume(context)
  const document = 'query ($id: ID!) { volume(id: $id) { bound } }'
  const isBound = async (): Promise<boolean> =>
    (await context.tenant.admin.ask(document, { id: volume.id })).volume.bound
  await waitFor(isBound, { timeoutMs: 15_000, what: 'the volume to be bound' })
  return volume
}

const aSnapshot = async (context: FixtureContext, name = unique('snapshot')): Promise<Json> => {
  const { id } = await aBoundVolume(context)
  const made = await madeBy(context.tenant.admin, '/snapshots', { volume_id: id, name })
  await context.world.ended('create_volume_snapshot', made.snapshot.id)
  return made.snapshot
}

/** Creates a schedule for a volume that is not due during a test. */
const aSchedule = async (context: FixtureContext, name = unique('schedule')): Promise<Json> => {
  const { id: volumeId } = await aVolume(context)
  const document =
    'mutation ($i: CreateSnapshotScheduleInput!) { createSnapshotSchedule(input: $i) { snapshotSchedule { id } } }'
  const { createSnapshotSchedule } = await context.tenant.admin.ask(document, {
    i: { volumeId, name, cron: '0 0 29 2 *', keep: 1 },
  })
  return createSnapshotSchedule.snapshotSchedule
}
/** Functions that create an object of each noun in a tenant. */
export const volumeMakers = { volume: aVolume, snapshot: aSnapshot, schedule: aSchedule }

async function anAttachedVolume(context: FixtureContext): Promise<{ vm: Json; volume: Json }> {
  const [vm, volume] = [await aStoppedVm(context), await aVolume(context)]
  const answer = await context.tenant.admin.rest('POST', `/vms/${vm.name}/volumes`, {
    body: { volume_id: volume.id },
  })
  if (answer.status !== 200) throw new Error(answer.text)
  return { vm, volume }
}

/** A successful request for each REST route of volumes and their snapshots. */
export const volumeFixtures: Readonly<Record<string, RouteFixture>> = {
  'GET /api/v1/volumes': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/volumes?filter=${(await aVolume(context)).name}`,
    }),
  },
  'GET /api/v1/volumes/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/volumes/${(await aVolume(context)).id}`,
    }),
  },
  'POST /api/v1/volumes': {
    ...by.admin,
    status: 201,
    arrange: async (context) => {
      await storageKnown(context)
      return {
        path: '/volumes',
        body: { name: unique('volume'), size_gi: 2 },
      }
    },
  },
  'PATCH /api/v1/volumes/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/volumes/${(await aBoundVolume(context)).id}`,
      body: { name: unique('volume'), size_gi: 2 },
    }),
  },
  'DELETE /api/v1/volumes/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/volumes/${(await aVolume(context)).id}`,
    }),
  },
  'GET /api/v1/vms/{name}/volumes': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await anAttachedVolume(context)).vm.name}/volumes`,
      shows: under('volumes', 'vm_id'),
    }),
  },
  'POST /api/v1/vms/{name}/volumes': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/vms/${(await aStoppedVm(context)).name}/volumes`,
      body: { volume_id: (await aVolume(context)).id },
      shows: under('volume', 'vm_id'),
    }),
  },
  'DELETE /api/v1/vms/{name}/volumes/{volume_id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => {
      const { vm, volume } = await anAttachedVolume(context)
      return { path: `/vms/${vm.name}/volumes/${volume.id}` }
    },
  },
  'GET /api/v1/storage-classes': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await storageKnown(context)
      return { path: '/storage-classes' }
    },
  },
  'GET /api/v1/snapshot-schedules': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => {
      await aSchedule(context)
      return { path: '/snapshot-schedules', shows: under('snapshot_schedules', scheduleShows) }
    },
  },
  'GET /api/v1/snapshot-schedules/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshot-schedules/${(await aSchedule(context)).id}`,
      shows: under('snapshot_schedule', scheduleShows),
    }),
  },
  'POST /api/v1/snapshot-schedules': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/snapshot-schedules',
      body: {
        name: unique('schedule'),
        volume_id: (await aVolume(context)).id,
        cron: '0 0 29 2 *',
        keep: 2,
      },
      shows: under('snapshot_schedule', scheduleShows),
    }),
  },
  'PATCH /api/v1/snapshot-schedules/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshot-schedules/${(await aSchedule(context)).id}`,
      body: { time_zone: 'Europe/Lisbon', keep: 3 },
      shows: under('snapshot_schedule', scheduleShows),
    }),
  },
  'DELETE /api/v1/snapshot-schedules/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshot-schedules/${(await aSchedule(context)).id}`,
    }),
  },
  'POST /api/v1/snapshot-schedules/{id}/pause': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshot-schedules/${(await aSchedule(context)).id}/pause`,
    }),
  },
  'POST /api/v1/snapshot-schedules/{id}/resume': {
    ...by.admin,
    status: 200,
    arrange: async (context) => {
      const path = `/snapshot-schedules/${(await aSchedule(context)).id}`
      await context.tenant.admin.rest('POST', `${path}/pause`, { body: {} })
      return { path: `${path}/resume` }
    },
  },
  'GET /api/v1/snapshots': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshots?filter=${(await aSnapshot(context)).name}`,
    }),
  },
  'GET /api/v1/snapshots/{id}': {
    ...by.anyone,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshots/${(await aSnapshot(context)).id}`,
    }),
  },
  'POST /api/v1/snapshots': {
    ...by.admin,
    status: 201,
    arrange: async (context) => ({
      path: '/snapshots',
      body: { volume_id: (await aBoundVolume(context)).id, name: unique('snapshot') },
    }),
  },
  'DELETE /api/v1/snapshots/{id}': {
    ...by.admin,
    status: 200,
    arrange: async (context) => ({
      path: `/snapshots/${(await aSnapshot(context)).id}`,
    }),
  },
}
