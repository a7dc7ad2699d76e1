import { beforeAll, expect, test } from 'vitest'
import { type Json } from '../../support/json.ts'
import { vmActions } from '../../support/actions/vm-actions.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

/* The list of the VMs of all tenants, for root only. */
let world: World
let first: WorldTenant
let second: WorldTenant
const prefix = unique('everywhere')
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  first = await world.tenant()
  second = await world.tenant()
  for (const [index, { admin }] of [first, second].entries())
    await (await vmActions(admin)).create({ name: `${prefix}-${index}`, start: false })
})

const list = `query ($f: PlatformVmFilter) {
  platformVms(first: 100, filter: $f) { totalCount nodes { name tenantId tenantSlug host } } }`
const listed = async (f: Json): Promise<Json> =>
  (await world.root.ask(list, { f: { search: prefix, ...f } })).platformVms

test('root lists the VMs of all tenants with their tenants, and those of one tenant', async () => {
  expect(await listed({})).toMatchObject({
    totalCount: 2,
    nodes: [
      { name: `${prefix}-0`, tenantId: first.id },
      { name: `${prefix}-1`, tenantId: second.id },
    ],
  })
  expect((await listed({ tenantId: second.id })).nodes).toMatchObject([
    { name: `${prefix}-1`, tenantId: second.id },
  ])
  expect((await listed({ tenantId: 'no-id' })).totalCount).toBe(0)
})

test('root lists the VMs of all tenants over REST, and its own list stays that of one tenant', async () => {
  const names = async (path: string): Promise<string[]> => {
    const { status, body } = await world.root.rest('GET', path)
    expect([status, body]).toEqual([200, expect.anything()])
    return (body.platform_vms ?? body.vms).map(({ name }: Json) => name)
  }
  expect(await names(`/platform-vms?filter=${prefix}`)).toEqual([`${prefix}-0`, `${prefix}-1`])
  expect(await names(`/platform-vms?filter=${prefix}&tenant_id=${first.id}`)).toEqual([
    `${prefix}-0`,
  ])
  expect(await names(`/vms?filter=${prefix}`)).toEqual([])
})

test('a tenant admin does not list the VMs of all tenants', async () => {
  expect((await first.admin.graphql(list, { f: null })).code).toBe('forbidden')
  expect((await first.admin.rest('GET', '/platform-vms')).status).toBe(403)
})
