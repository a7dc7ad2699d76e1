import { beforeAll, expect, test } from 'vitest'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let tenant: WorldTenant
/** Two running VMs, a stopped one, and one that was deleted directly in the cluster. */
const vms = {
  up: unique('shop-up'),
  too: unique('shop-too'),
  down: unique('shop-down'),
  lost: unique('shop-lost'),
}

const read = async (path: string, client: Client = tenant.admin): Promise<Json> =>
  (await client.rest('GET', path)).body
const stateOf = async (name: string): Promise<string> => (await read(`/vms/${name}`)).vm.state

beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  tenant = await world.tenant('acme')
  await world.networksOpen()
  await make.volume({ world, tenant }, 'shop-data')
  const { vm_templates: templates } = await read('/vm-templates?filter=cirros')
  const wait = { prefer: 'wait=20' }
  for (const name of Object.values(vms))
    await tenant.admin.rest('POST', '/vms', {
      body: { name, template_id: templates[0].id },
      headers: wait,
    })
  await tenant.admin.rest('POST', '/vms/stop', { body: { name: vms.down }, headers: wait })
  const path = `/apis/kubevirt.io/v1/namespaces/${tenant.namespace}/virtualmachines/${vms.lost}`
  await world.cluster.call(path, { method: 'DELETE' })
  const settled = async (): Promise<boolean> =>
    (await stateOf(vms.down)) === 'Stopped' && (await stateOf(vms.lost)) === 'Error'
  await waitFor(settled, { timeoutMs: 20_000, what: 'the VMs to reach their states' })
})

test('the summary counts the objects of the tenant and reports its health and recent changes', async () => {
  const { recent_activity: recent, ...counts } = await read('/dashboard/summary')
  expect(counts).toEqual({
    vms: { total: 4, running: 2, error: 1 },
    vpcs: { total: 1 },
    networks: { total: 1 },
    volumes: { total: 1 },
    security_groups: { total: 1 },
    health: 'critical',
  })
  expect(recent.map(({ name }: Json) => name).sort()).toEqual(Object.values(vms).sort())
  const times = recent.map(({ updated_at: at }: Json) => at)
  expect(times).toEqual(times.toSorted().toReversed())
  expect(recent.find(({ name }: Json) => name === vms.up)).toMatchObject({
    type: 'vm',
    state: 'Running',
    path: `/vms/${vms.up}`,
  })
})

test('an empty tenant is healthy and has zero counts', async () => {
  const rival = await world.tenant('rival')
  expect(await read('/dashboard/summary', rival.admin)).toMatchObject({
    vms: { total: 0 },
    health: 'ok',
    recent_activity: [],
  })
  expect((await read('/dashboard/summary', rival.admin)).vms).toEqual({ total: 0 })
  expect(await read('/search?q=shop', rival.admin)).toEqual({ results: [] })
  expect(await read('/notifications', rival.admin)).toEqual({ notifications: [] })
})

test('a search finds names and addresses in any letter case, sorts by kind and name, and escapes wildcards', async () => {
  const { results } = await read('/search?q=SHOP')
  expect(results.map(({ name }: Json) => name)).toEqual([...Object.values(vms).sort(), 'shop-data'])
  expect(results.at(-1)).toMatchObject({ type: 'volume', subtitle: '1 GiB', path: '/volumes' })
  expect(results[0]).toMatchObject({
    type: 'vm',
    id: expect.any(String),
    path: `/vms/${results[0].name}`,
  })
  expect(
    (await read('/search?q=10.0')).results.map(({ type, subtitle }: Json) => [type, subtitle]),
  ).toEqual(
    expect.arrayContaining([
      ['network', '10.0.0.0/24'],
      ['vpc', '10.0.0.0/16'],
    ]),
  )
  const kinds = (await read('/search?q=default')).results.map(({ type, path }: Json) => [
    type,
    path,
  ])
  expect(kinds).toEqual([
    ['network', '/networks'],
    ['security_group', '/security-groups'],
    ['vpc', '/vpcs'],
  ])
  for (const nothing of ['', 's', '%20s%20', '%25%25', '__', 'no-such-name'])
    expect(await read(`/search?q=${nothing}`)).toEqual({ results: [] })
})

test('a failed VM is the first notification, with a message and a stable id', async () => {
  const { notifications } = await read('/notifications')
  expect(notifications).toEqual([
    {
      id: `vm-error-${vms.lost}`,
      level: 'error',
      path: `/vms/${vms.lost}`,
      title: expect.any(String),
      message: expect.stringMatching(/./),
      created_at: expect.any(String),
    },
  ])
})

test('a user who may not read VMs sees their count and no details', async () => {
  const { api_key: _key, secret } = (
    await tenant.admin.rest('POST', '/api-keys', { body: { name: 'ci', scopes: ['vpcs:read'] } })
  ).body
  const client = world.wire.client(secret)
  expect(await read('/dashboard/summary', client)).toMatchObject({
    vms: { total: 4 },
    recent_activity: [],
  })
  expect(await read('/notifications', client)).toEqual({ notifications: [] })
  expect((await read('/search?q=shop', client)).results).toEqual([])
  expect((await read('/search?q=default', client)).results.map(({ type }: Json) => type)).toEqual([
    'vpc',
  ])
})
