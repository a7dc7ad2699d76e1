import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault } from '../../../server/src/engine/model/fault.ts'
import { tenantPermissions } from '../../../server/src/domain/identity/permission.ts'
import { type Viewer } from '../../../server/src/engine/model/viewer.ts'
import { type Op } from '../../../server/src/store/op.ts'
import { visibleCredentials } from '../../../server/src/usecases/identity/visible-credentials.ts'
import { createApiKey } from '../../../server/src/usecases/identity/create-api-key.ts'
import { createRole } from '../../../server/src/usecases/identity/create-role.ts'
import { createUser } from '../../../server/src/usecases/identity/create-user.ts'
import { deleteRole } from '../../../server/src/usecases/identity/delete-role.ts'
import { deleteUser } from '../../../server/src/usecases/identity/delete-user.ts'
import { revokeApiKey } from '../../../server/src/usecases/identity/revoke-api-key.ts'
import { updateRole } from '../../../server/src/usecases/identity/update-role.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { type IdentityWorld, anIdentityWorld } from '../../support/world/identity-world.ts'

let world: IdentityWorld
let tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>
let other: Awaited<ReturnType<IdentityWorld['aTenant']>>

beforeAll(async () => {
  world = await anIdentityWorld()
  tenant = await world.aTenant()
  other = await world.aTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const unique = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`
const password = 'a fine password'
const systemRole = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`

async function aUser(
  choice: { roleName?: string; roleId?: string } = {},
  of = tenant,
): Promise<Viewer> {
  const username = unique('u')
  await world.as(of.admin, (op) => createUser(op, { username, password, ...choice }))
  return world.viewerOf(username)
}

const aRole = (permissions: string[], of = tenant) =>
  world
    .as(of.admin, (op) => createRole(op, { name: unique('role'), permissions }))
    .then(({ role }) => role)

const aKey = (op: Op, request: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  createApiKey(op, { name: 'ci', ...request })
const refusal = (done: Promise<unknown>): Promise<{ code: string; message: string }> =>
  done.then(
    () => ({ code: 'allowed', message: '' }),
    (error: unknown) => ({ code: (error as Fault).code, message: (error as Fault).message }),
  )

describe('users', () => {
  test('a new user has the operator role unless the request names another role', async () => {
    const username = unique('Ünïcode')
    const { user } = await world.as(tenant.admin, (op) =>
      createUser(op, { username: ` ${username} `, password, email: 'u@example.com' }),
    )
    expect(user).toMatchObject({
      username,
      email: 'u@example.com',
      role: 'user',
      roleName: 'tenant.operator',
      state: 'active',
      tenantId: tenant.id,
      version: 1,
    })
    const reads = world.store.reads({ tenantId: tenant.id })
    expect(await reads.users.find(user.id)).toEqual(user)
    const listed = await reads.users.list(
      { first: 50, after: null },
      { search: username.slice(-8) },
    )
    expect(listed.nodes).toEqual([user])
    expect(await reads.users.count({ search: username.slice(-8) })).toBe(1)
  })

  test('a list of users continues after its cursor', async () => {
    await aUser()
    const { users } = world.store.reads({ tenantId: tenant.id })
    const first = await users.list({ first: 1, after: null }, {})
    const second = await users.list({ first: 1, after: first.cursor(0) }, {})
    expect(first.hasNextPage).toBe(true)
    expect(second.nodes[0]!.username > first.nodes[0]!.username).toBe(true)
  })

  test('a username is unique in its tenant and ignores case, and another tenant may have it', async () => {
    const taken = await aUser()
    const again = { username: taken.username.toUpperCase(), password }
    expect(await refusal(createUserIn(tenant.admin, again))).toMatchObject({
      code: 'already_exists',
    })
    const { user } = await createUserIn(other.admin, again)
    expect(user).toMatchObject({ username: again.username, tenantId: other.id })
  })

  const createUserIn = (viewer: Viewer, input: Parameters<typeof createUser>[1]) =>
    world.as(viewer, (op) => createUser(op, input))

  test.each([
    { because: 'the name is empty', input: { username: '  ', password }, path: 'username' },
    { because: 'the name has a space', input: { username: 'a b', password }, path: 'username' },
    {
      because: 'the password is short',
      input: { username: 'shorty', password: '1234567' },
      path: 'password',
    },
    {
      because: 'the password is the name',
      input: { username: 'same-as-name', password: 'Same-As-Name' },
      path: 'password',
    },
    {
      because: 'the email address is invalid',
      input: { username: 'mailer', password, email: 'nowhere' },
      path: 'email',
    },
  ])('a user is refused because $because', async ({ input, path }) => {
    const failed = world.as(tenant.admin, (op) => createUser(op, input))
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [expect.objectContaining({ path })],
    })
  })

  test('no user, root included, can change or delete root', async () => {
    const root = await world.root()
    const adminAtRoots = {
      ...(await world.viewerOf(`${tenant.slug}-admin`)),
      tenantId: root.tenantId,
    }
    for (const viewer of [root, adminAtRoots]) {
      for (const change of [
        { state: 'disabled' as const },
        { roleId: systemRole(4) },
        { email: 'a@example.com' },
      ]) {
        expect(
          await refusal(world.as(viewer, (op) => updateUser(op, { id: root.userId, ...change }))),
        ).toMatchObject({ code: 'forbidden' })
      }
      expect(
        await refusal(world.as(viewer, (op) => deleteUser(op, { id: root.userId }))),
      ).toMatchObject({ code: 'forbidden' })
    }
  })

  test('a user cannot delete their own account', async () => {
    expect(
      await refusal(world.as(tenant.admin, (op) => deleteUser(op, { id: tenant.admin.userId }))),
    ).toMatchObject({ code: 'forbidden' })
  })

  test('a change of a user is refused when its version is outdated', async () => {
    const user = await aUser()
    const change = (ifVersion: number) =>
      world.as(tenant.admin, (op) =>
        updateUser(op, { id: user.userId, email: 'new@example.com', ifVersion }),
      )
    expect((await change(1)).user.version).toBe(2)
    expect(await refusal(change(1))).toMatchObject({ code: 'version_conflict' })
  })

  test('each change of a user is in the change log with its new version', async () => {
    const { userId: id } = await aUser()
    await world.as(tenant.admin, (op) => updateUser(op, { id, state: 'disabled' }))
    await world.as(tenant.admin, (op) => deleteUser(op, { id }))
    const rows = await world.database.sql(
      `select kind, version, tenant_id from change_log where object_id = '${id}' order by id`,
    )
    expect(rows).toEqual(
      [1, 2, 3].map((version) => ({ kind: 'user', version, tenant_id: tenant.id })),
    )
  })
})

describe('roles', () => {
  test('a tenant lists the platform roles first, then its own roles, and no foreign roles', async () => {
    const role = await aRole(['vms:read'])
    const foreign = await aRole(['vms:read'], other)
    const { roles } = world.store.reads({ tenantId: tenant.id })
    const { nodes } = await roles.list({ first: 100, after: null }, {})
    expect(nodes.slice(0, 4).map(({ name }) => name)).toEqual([
      'platform.root',
      'tenant.admin',
      'tenant.operator',
      'tenant.viewer',
    ])
    expect(nodes.map(({ id }) => id)).toContain(role.id)
    expect(nodes.map(({ id }) => id)).not.toContain(foreign.id)
    expect(await roles.count({})).toBe(nodes.length)
  })

  test('the refusal of a role names the unknown permission', async () => {
    const failed = world.as(tenant.admin, (op) =>
      createRole(op, { name: unique('r'), permissions: ['vms:read', 'vms:fly'] }),
    )
    await expect(failed).rejects.toMatchObject({
      code: 'invalid_input',
      fields: [{ path: 'permissions', message: { params: { permissions: ['vms:fly'] } } }],
    })
  })

  test('a role is deleted only when no user has it', async () => {
    const role = await aRole(['vms:read'])
    const holder = await aUser({ roleId: role.id })
    expect(
      await refusal(world.as(tenant.admin, (op) => deleteRole(op, { id: role.id }))),
    ).toMatchObject({ code: 'in_use' })
    await world.as(tenant.admin, (op) => deleteUser(op, { id: holder.userId }))
    expect((await world.as(tenant.admin, (op) => deleteRole(op, { id: role.id }))).role.id).toBe(
      role.id,
    )
  })

  test('the platform roles are read-only for root too, and their names are reserved', async () => {
    for (const viewer of [tenant.admin, await world.root()]) {
      const change = world.as(viewer, (op) =>
        updateRole(op, { id: systemRole(4), permissions: [] }),
      )
      expect(await refusal(change)).toMatchObject({ code: 'read_only' })
      expect(
        await refusal(world.as(viewer, (op) => deleteRole(op, { id: systemRole(4) }))),
      ).toMatchObject({ code: 'read_only' })
      expect(
        await refusal(
          world.as(viewer, (op) => createRole(op, { name: 'Tenant.Admin', permissions: [] })),
        ),
      ).toMatchObject({
        code: 'already_exists',
      })
    }
  })
})

describe('the limits of granting', () => {
  const grants: [
    string,
    (viewer: Viewer, role: { id: string; weak: string }) => (op: Op) => Promise<unknown>,
  ][] = [
    [
      'creating a stronger role',
      () => (op) => createRole(op, { name: unique('r'), permissions: ['vms:write'] }),
    ],
    [
      'adding a permission to a role',
      (_viewer, { weak }) =>
        (op) =>
          updateRole(op, { id: weak, permissions: ['users:read', 'vms:write'] }),
    ],
    [
      'creating a user with a stronger role',
      (_viewer, { id }) =>
        (op) =>
          createUser(op, { username: unique('u'), password, roleId: id }),
    ],
    [
      'creating a user with the administrator role by name',
      () => (op) => createUser(op, { username: unique('u'), password, roleName: 'tenant.admin' }),
    ],
    [
      'creating a user with the stronger default role',
      () => (op) => createUser(op, { username: unique('u'), password }),
    ],
    [
      'taking a stronger role',
      (viewer, { id }) =>
        (op) =>
          updateUser(op, { id: viewer.userId, roleId: id }),
    ],
    [
      'taking the role of root',
      (viewer) => (op) => updateUser(op, { id: viewer.userId, roleId: systemRole(1) }),
    ],
    ['creating a stronger API key', () => (op) => aKey(op, { scopes: ['vms:write'] })],
    ['creating an API key for everything', () => (op) => aKey(op, { scopes: ['*'] })],
    ['creating an API key that reads everything', () => (op) => aKey(op, { scopes: ['*:read'] })],
    [
      'creating a role with platform permissions',
      () => (op) => createRole(op, { name: unique('r'), permissions: ['tenants:write'] }),
    ],
    [
      'creating a role for everything',
      () => (op) => createRole(op, { name: unique('r'), permissions: ['*'] }),
    ],
  ]

  test.each(grants)(
    'a user cannot grant more than their own permissions: %s',
    async (_what, grant) => {
      const weak = await aRole(['users:read', 'users:write'])
      const strong = await aRole([...tenantPermissions])
      const viewer = await aUser({ roleId: weak.id })
      expect(
        await refusal(world.as(viewer, grant(viewer, { id: strong.id, weak: weak.id }))),
      ).toMatchObject({ code: 'forbidden' })
    },
  )

  test('the role of root cannot be granted, and no tenant role holds platform permissions', async () => {
    const root = await world.root(tenant.id)
    expect(
      await refusal(
        world.as(root, (op) =>
          createUser(op, { username: unique('u'), password, roleId: systemRole(1) }),
        ),
      ),
    ).toMatchObject({ code: 'forbidden' })
    for (const permission of ['*', '*:read', 'tenants:read']) {
      const made = world.as(root, (op) =>
        createRole(op, { name: unique('r'), permissions: [permission] }),
      )
      expect(await refusal(made)).toMatchObject({ code: 'invalid_input' })
    }
  })

  test('a user can grant the permissions that they hold', async () => {
    const weak = await aRole(['users:read', 'users:write'])
    const viewer = await aUser({ roleId: weak.id })
    const { role } = await world.as(viewer, (op) =>
      createRole(op, { name: unique('r'), permissions: ['users:read'] }),
    )
    const { user } = await world.as(viewer, (op) =>
      createUser(op, { username: unique('u'), password, roleId: role.id }),
    )
    expect(user.roleId).toBe(role.id)
  })

  test('an API key cannot create a wider or longer key, nor one without permissions', async () => {
    const user = await aUser()
    const { apiKey } = await world.as(user, (op) =>
      aKey(op, { scopes: ['vms:read'], expiresInDays: 1 }),
    )
    const byKey: Viewer = {
      ...user,
      credential: 'api_key',
      credentialId: apiKey.id,
      permissions: new Set(['vms:read']),
    }
    const child = await world.as(byKey, (op) => aKey(op))
    expect(child.apiKey).toMatchObject({ scopes: ['vms:read'], expiresAt: apiKey.expiresAt })
    expect(
      await refusal(world.as(byKey, (op) => aKey(op, { scopes: ['volumes:read'] }))),
    ).toMatchObject({ code: 'forbidden' })
    const useless = { ...byKey, permissions: new Set<string>() }
    expect(await refusal(world.as(useless, (op) => aKey(op)))).toMatchObject({
      code: 'forbidden',
    })
  })

  test('an API key loses the permissions that its owner loses and gains none', async () => {
    const server = await world.aServer()
    const role = await aRole(['vms:read', 'vms:write'])
    const user = await aUser({ roleId: role.id })
    const { secret: scoped } = await world.as(user, (op) =>
      aKey(op, { scopes: ['vms:read', 'vms:write'] }),
    )
    const { secret: whole } = await world.as(user, (op) => aKey(op))
    await world.as(tenant.admin, (op) =>
      updateRole(op, { id: role.id, permissions: ['vms:read', 'volumes:read'] }),
    )
    expect((await server.viewerFor(scoped)).body['permissions']).toEqual(['vms:read'])
    const { body } = await server.viewerFor(whole)
    expect(body['permissions']).toEqual(['vms:read', 'volumes:read'])
  })
})

describe('API keys', () => {
  test('a user sees their own API keys, and all keys of the tenant with `users:write`', async () => {
    const [one, two] = [await aUser(), await aUser()]
    const mine = await world.as(one, (op) => aKey(op))
    const theirs = await world.as(two, (op) => aKey(op))
    const { apiKeys } = world.store.reads({ tenantId: tenant.id })
    const own = await apiKeys.list({ first: 100, after: null }, visibleCredentials(one))
    expect(own.nodes).toEqual([mine.apiKey])
    const all = await apiKeys.list({ first: 100, after: null }, visibleCredentials(tenant.admin))
    expect(all.nodes).toEqual(expect.arrayContaining([mine.apiKey, theirs.apiKey]))
    expect(await apiKeys.count(visibleCredentials(one))).toBe(1)
    expect(
      await refusal(world.as(one, (op) => revokeApiKey(op, { id: theirs.apiKey.id }))),
    ).toMatchObject({ code: 'not_found' })
    expect(
      (await world.as(tenant.admin, (op) => revokeApiKey(op, { id: theirs.apiKey.id }))).apiKey
        .revokedAt,
    ).not.toBeNull()
  })

  test('the keys of root belong to root alone', async () => {
    const root = await world.root()
    const { apiKey } = await world.as(root, (op) => aKey(op))
    const neighbour = { ...tenant.admin, tenantId: root.tenantId }
    expect(
      await refusal(world.as(neighbour, (op) => revokeApiKey(op, { id: apiKey.id }))),
    ).toMatchObject({ code: 'forbidden' })
  })
})
