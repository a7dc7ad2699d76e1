import { beforeAll, expect, test } from 'vitest'
import { permissionBases, vmPermissions } from '../../../server/src/domain/nouns.ts'
import { type World, aWorld } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
beforeAll(async () => (world = await aWorld()))

const all = (kinds: string[], but: string[] = []): string[] =>
  permissionBases
    .filter((base) => !but.includes(base))
    .flatMap((base) => kinds.map((kind) => `${base}:${kind}`))

test('a new installation has the sizes, roles, tenant and root that existing clients expect', async () => {
  const { service_offerings: offerings } = (await world.root.rest('GET', '/service-offerings')).body
  expect(
    offerings.map((row: Json) => [row.name, row.cpu, row.memory_mi, row.dedicated_cpu, row.state]),
  ).toEqual([
    ['large', 4, 8192, false, 'Active'],
    ['large-dedicated', 4, 8192, true, 'Active'],
    ['medium', 2, 4096, false, 'Active'],
    ['medium-dedicated', 2, 4096, true, 'Active'],
    ['small', 1, 1024, false, 'Active'],
    ['small-dedicated', 1, 1024, true, 'Active'],
    ['windows-large', 4, 16_384, false, 'Active'],
  ])
  const { roles } = (await world.root.rest('GET', '/roles')).body
  expect(
    roles.map((role: Json) => [role.id, role.name, role.is_system, [...role.permissions].sort()]),
  ).toEqual([
    ['00000000-0000-4000-8000-000000000001', 'platform.root', true, ['*']],
    [
      '00000000-0000-4000-8000-000000000002',
      'tenant.admin',
      true,
      [...all(['read', 'write']), ...vmPermissions].sort(),
    ],
    [
      '00000000-0000-4000-8000-000000000003',
      'tenant.operator',
      true,
      [...all(['read', 'write'], ['users']), ...vmPermissions].sort(),
    ],
    [
      '00000000-0000-4000-8000-000000000004',
      'tenant.viewer',
      true,
      all(['read'], ['users']).sort(),
    ],
  ])
  const { tenants } = (await world.root.rest('GET', '/tenants')).body
  expect(tenants).toMatchObject([{ slug: 'default', name: 'Default', namespace: 'berth-default' }])
  const me = (await world.root.rest('GET', '/auth/me')).body
  expect(me).toMatchObject({
    username: 'root',
    role: 'root',
    role_id: roles[0].id,
    tenant_id: tenants[0].id,
    permissions: ['*'],
  })
})

test('the default tenant gets its namespace like every tenant', async () => {
  await expect
    .poll(async () => (await world.root.rest('GET', '/tenants')).body.tenants[0].state, {
      timeout: 8_000,
    })
    .toBe('active')
  expect(await world.hasNamespace('berth-default')).toBe(true)
})
