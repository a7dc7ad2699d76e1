import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { type World, aWorld } from '../../support/world/world.ts'

let world: World
beforeAll(async () => {
  world = await aWorld()
})

const read = async (): Promise<Json> => (await world.root.rest('GET', '/cluster-features')).body

test('the features of the cluster are listed with the versions of its components', async () => {
  const { cluster } = await read()
  expect(cluster).toMatchObject({
    kubernetes_version: expect.stringMatching(/^v1\./),
    kubevirt_version: expect.stringMatching(/^v1\./),
    cdi_version: expect.stringMatching(/^v1\./),
  })
  expect(cluster.features).toHaveLength(12)
  expect(cluster.features).toContainEqual({ name: 'image_imports', available: true, reason: null })
  expect(cluster.network_drivers).toContainEqual({
    name: 'kube-ovn',
    available: false,
    reason: 'Kube-OVN is not installed in the cluster',
  })
})

test('a tenant does not learn the features of the cluster', async () => {
  const tenant = await world.tenant()
  expect((await tenant.admin.rest('GET', '/cluster-features')).status).toBe(403)
})
