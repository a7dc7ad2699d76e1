import { beforeAll, expect, test } from 'vitest'
import { Wire } from '../../support/clients/http-client.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

let world: World
let tenant: WorldTenant
beforeAll(async () => {
  world = await aWorld()
  tenant = await world.tenant()
})

const classes = '/apis/snapshot.storage.k8s.io/v1/volumesnapshotclasses'

test('a snapshot takes the class of the StorageProfile when a driver has two classes and no default', async () => {
  const { body: named } = await world.cluster.call(`${classes}/fast-snap`)
  const metadata = { ...named.metadata, annotations: {} }
  await world.cluster.call(`${classes}/fast-snap`, { method: 'PUT', body: { ...named, metadata } })
  const other = { ...named, metadata: { name: 'other-snap' } }
  expect((await world.cluster.call(classes, { method: 'POST', body: other })).status).toBe(201)
  // Berth reads the cluster's classes when it starts, and then once a minute. A new replica knows
  // them sooner than the one of this test.
  const { url } = await anotherReplica(world)
  const wire = new Wire(() => url)
  const client = wire.client(tenant.admin.token)
  const volumes = new VolumeActions(world, tenant, client)
  const fast = async () => {
    const { storageClasses } = await client.ask('{ storageClasses { name snapshotClass } }')
    return storageClasses.find((each: { name: string }) => each.name === 'fast')
  }
  await waitFor(async () => Boolean(await fast().catch(() => null)), {
    what: 'the replica to know its cluster',
  })
  expect(await fast()).toEqual({ name: 'fast', snapshotClass: 'fast-snap' })
  const { id: volumeId } = await volumes.bound({ sizeGi: 1 })
  const { volumeSnapshot } = await volumes.askSnapshot('createVolumeSnapshot', {
    volumeId,
    name: unique('snap'),
  })
  const { body } = await volumes.snapshot(volumeSnapshot.id)
  expect(body.spec.volumeSnapshotClassName).toBe('fast-snap')
  wire.close()
})
