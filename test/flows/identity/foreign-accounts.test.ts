import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Fault } from '../../../server/src/engine/model/fault.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { createApiKey } from '../../../server/src/usecases/identity/create-api-key.ts'
import { createRole } from '../../../server/src/usecases/identity/create-role.ts'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { deleteRole } from '../../../server/src/usecases/identity/delete-role.ts'
import { deleteUser } from '../../../server/src/usecases/identity/delete-user.ts'
import { revokeApiKey } from '../../../server/src/usecases/identity/revoke-api-key.ts'
import { updateRole } from '../../../server/src/usecases/identity/update-role.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { anIdentityWorld } from '../../support/world/identity-world.ts'

const unique = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`
const password = 'a fine password'
const refusal = (done: Promise<unknown>): Promise<{ code: string; message: string }> =>
  done.then(
    () => ({ code: 'allowed', message: '' }),
    (error: unknown) => ({ code: (error as Fault).code, message: (error as Fault).message }),
  )

test('users, roles and keys of another tenant answer like absent ones, word for word', async () => {
  await using world = await anIdentityWorld()
  const [tenant, other] = [await world.aTenant(), await world.aTenant()]
  const { role: foreignRole } = await world.as(other.admin, (op) =>
    createRole(op, { name: 'theirs', permissions: ['vms:read'] }),
  )
  await world.as(other.admin, (op) => createUser(op, { username: 'their-user', password }))
  const foreignUser = await world.viewerOf('their-user')
  const { apiKey: foreignKey } = await world.as(foreignUser, (op) =>
    createApiKey(op, { name: 'ci' }),
  )
  const uses: [string, (id: string) => (op: Op) => Promise<unknown>][] = [
    [foreignUser.userId, (id) => (op) => updateUser(op, { id, email: 'x@example.com' })],
    [foreignUser.userId, (id) => (op) => deleteUser(op, { id })],
    [foreignRole.id, (id) => (op) => updateRole(op, { id, description: 'x' })],
    [foreignRole.id, (id) => (op) => deleteRole(op, { id })],
    [
      foreignRole.id,
      (id) => (op) => createUser(op, { username: unique('u'), password, roleId: id }),
    ],
    [foreignRole.id, (id) => (op) => updateUser(op, { id: tenant.admin.userId, roleId: id })],
    [foreignKey.id, (id) => (op) => revokeApiKey(op, { id })],
  ]
  for (const [foreign, use] of uses) {
    const absent = randomUUID()
    const [foreignRefusal, absentRefusal] = [
      await refusal(world.as(tenant.admin, use(foreign))),
      await refusal(world.as(tenant.admin, use(absent))),
    ]
    expect(foreignRefusal.code).toBe('not_found')
    expect(foreignRefusal).toEqual({
      code: absentRefusal.code,
      message: absentRefusal.message.replace(absent, foreign),
    })
    expect((await refusal(world.as(tenant.admin, use("'; --")))).code).toBe('not_found')
  }
  const reads = world.store.reads({ tenantId: tenant.id })
  expect([
    await reads.users.find(foreignUser.userId),
    await reads.roles.find(foreignRole.id),
    await reads.apiKeys.find(foreignKey.id),
  ]).toEqual([null, null, null])
})

test('the key of another user answers like an absent one to a user without `users:write`', async () => {
  await using world = await anIdentityWorld()
  const tenant = await world.aTenant()
  await world.as(tenant.admin, (op) => createUser(op, { username: 'nosy', password }))
  const nosy = await world.viewerOf('nosy')
  const { apiKey } = await world.as(tenant.admin, (op) => createApiKey(op, { name: 'ci' }))
  const absent = randomUUID()
  const absentRefusal = await refusal(world.as(nosy, (op) => revokeApiKey(op, { id: absent })))
  const foreignRefusal = await refusal(world.as(nosy, (op) => revokeApiKey(op, { id: apiKey.id })))
  expect(foreignRefusal).toEqual({
    code: 'not_found',
    message: absentRefusal.message.replace(absent, apiKey.id),
  })
})
