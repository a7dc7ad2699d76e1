import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fault } from '../../../server/src/engine/model/fault.ts'
import { type Viewer } from '../../../server/src/engine/model/viewer.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { createApiKey } from '../../../server/src/usecases/identity/create-api-key.ts'
import { createRole } from '../../../server/src/usecases/identity/create-role.ts'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { deleteUser } from '../../../server/src/usecases/identity/delete-user.ts'
import { revokeApiKey } from '../../../server/src/usecases/identity/revoke-api-key.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { type IdentityWorld, anIdentityWorld } from '../../support/world/identity-world.ts'

let world: IdentityWorld
beforeAll(async () => {
  world = await anIdentityWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

type Tenant = Awaited<ReturnType<IdentityWorld['aTenant']>>

const codeOf = (done: Promise<unknown>): Promise<string> =>
  done.then(
    () => 'allowed',
    (error: unknown) => (error as Fault).code,
  )

async function aUser(
  tenant: Tenant,
  choice: { roleName?: string; roleId?: string },
): Promise<Viewer> {
  const username = `u-${randomUUID()}`
  await world.as(tenant.admin, (op) =>
    createUser(op, { username, password: 'a fine password', ...choice }),
  )
  return world.viewerOf(username)
}

const removals: [string, (id: string) => (op: Op) => Promise<unknown>][] = [
  ['demote', (id) => (op) => updateUser(op, { id, roleName: 'tenant.viewer' })],
  ['disable', (id) => (op) => updateUser(op, { id, state: 'disabled' })],
  ['delete', (id) => (op) => deleteUser(op, { id })],
]

test.each(removals)('a user cannot %s a user who has more permissions', async (change, removal) => {
  const tenant = await world.aTenant()
  const { role } = await world.as(tenant.admin, (op) =>
    createRole(op, { name: 'helpdesk', permissions: ['users:read', 'users:write', 'vms:read'] }),
  )
  const helper = await aUser(tenant, { roleId: role.id })
  const [second, peer] = [
    await aUser(tenant, { roleName: 'tenant.admin' }),
    await aUser(tenant, { roleId: role.id }),
  ]
  expect(await codeOf(world.as(helper, removal(second.userId)))).toBe('forbidden')
  const isAllowed = (await codeOf(world.as(helper, removal(peer.userId)))) === 'allowed'
  // A helper cannot grant the permissions of the viewer role, either.
  expect(isAllowed).toBe(change !== 'demote')
})

test.each(removals)(
  'the last active administrator of a tenant stays: a request to %s is refused',
  async (_change, removal) => {
    const tenant = await world.aTenant()
    const root = await world.root(tenant.id)
    expect(await codeOf(world.as(root, removal(tenant.admin.userId)))).toBe('wrong_state')
    const second = await aUser(tenant, { roleName: 'tenant.admin' })
    await world.as(root, (op) => updateUser(op, { id: second.userId, state: 'disabled' }))
    expect(await codeOf(world.as(root, removal(tenant.admin.userId)))).toBe('wrong_state')
    await world.as(root, (op) => updateUser(op, { id: second.userId, state: 'active' }))
    expect(await codeOf(world.as(root, removal(tenant.admin.userId)))).toBe('allowed')
  },
)

test('two administrators who remove each other at once leave one of them', async () => {
  for (const [, removal] of removals) {
    const tenant = await world.aTenant()
    const second = await aUser(tenant, { roleName: 'tenant.admin' })
    const codes = await Promise.all([
      codeOf(world.as(tenant.admin, removal(second.userId))),
      codeOf(world.as(second, removal(tenant.admin.userId))),
    ])
    expect(codes.sort()).toEqual(['allowed', 'wrong_state'])
  }
})

test('an API key cannot revoke a key that has more permissions', async () => {
  const { admin } = await world.aTenant()
  const keyOf = async (scopes?: string[]) =>
    (await world.as(admin, (op) => createApiKey(op, { name: 'ci', ...(scopes && { scopes }) })))
      .apiKey
  const [wide, narrow, equal] = [
    await keyOf(),
    await keyOf(['users:write', 'vms:read']),
    await keyOf(['vms:read']),
  ]
  const byNarrow: Viewer = {
    ...admin,
    credential: 'api_key',
    credentialId: narrow.id,
    permissions: new Set(narrow.scopes),
  }
  const revoke = (id: string) => codeOf(world.as(byNarrow, (op) => revokeApiKey(op, { id })))
  expect([await revoke(wide.id), await revoke(equal.id), await revoke(narrow.id)]).toEqual([
    'forbidden',
    'allowed',
    'allowed',
  ])
})
