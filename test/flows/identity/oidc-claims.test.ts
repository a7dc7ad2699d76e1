import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { type Answered } from '../../support/world/identity-world.ts'
import {
  type OidcWorld,
  anOidcWorld,
  cookieOf,
  oidcSettings,
  redirectOf,
} from '../../support/world/oidc-world.ts'

let oidc: OidcWorld
beforeAll(async () => {
  oidc = await anOidcWorld()
})
afterAll(() => oidc[Symbol.asyncDispose]())

const usersOf = (sub: string) =>
  oidc.world.database.sql(
    `select u.id, u.tenant_id, r.name as role, u.state from user_account u join role r on r.id = u.role_id where oidc_subject = '${sub}'`,
  )

describe('later logins', () => {
  test('a later login gives the user the role that the provider names now, and ends former sessions', async () => {
    const who = oidc.person({ role: 'tenant.admin' })
    const first = await oidc.logIn(who)
    expect(await usersOf(who.sub)).toMatchObject([{ role: 'tenant.admin' }])
    const demoted = await oidc.logIn({ ...who, role: 'tenant.viewer' })
    expect(redirectOf(demoted)).toBe('303 /vms?tab=1')
    expect(await usersOf(who.sub)).toMatchObject([{ role: 'tenant.viewer' }])
    const refresh = (answer: Answered) =>
      oidc.server.call('POST', '/auth/session/refresh', {
        headers: { cookie: cookieOf(answer, 'berth-refresh'), 'x-berth-session': '1' },
      })
    expect((await refresh(first)).status).toBe(401)
    expect((await refresh(demoted)).status).toBe(200)
    const audited = await oidc.world.database.sql(
      `select operation, target_name from audit_event where target_name = '${who.preferred_username}' and operation = 'followProviderRole'`,
    )
    expect(audited).toHaveLength(1)
  })

  test('a login with the same role changes nothing of the user', async () => {
    const who = oidc.person({ role: 'tenant.operator' })
    await oidc.logIn(who)
    const [before] = await oidc.world.database.sql(
      `select version from user_account where oidc_subject = '${who.sub}'`,
    )
    await oidc.logIn(who)
    expect(
      await oidc.world.database.sql(
        `select version from user_account where oidc_subject = '${who.sub}'`,
      ),
    ).toEqual([before])
  })

  test('a role that an administrator chose stays when the provider assigns no roles', async () => {
    const without = await oidc.world.aServer({
      oidc: { ...oidcSettings(oidc.issuer), roleClaim: null },
    })
    const who = oidc.person({ role: 'tenant.admin' })
    await oidc.logIn(who, {}, without)
    const [user] = await usersOf(who.sub)
    expect(user).toMatchObject({ role: 'tenant.viewer' })
    await oidc.world.as(oidc.tenant.admin, (op) =>
      updateUser(op, { id: String(user?.['id']), roleName: 'tenant.operator' }),
    )
    await oidc.logIn(who, {}, without)
    expect(await usersOf(who.sub)).toMatchObject([{ role: 'tenant.operator' }])
  })

  test('a user whom the provider moved to another tenant is deleted in the former one with its keys', async () => {
    const other = await oidc.world.aTenant()
    const who = oidc.person({ role: 'tenant.operator' })
    const first = await oidc.logIn(who)
    const [former] = await usersOf(who.sub)
    expect(redirectOf(await oidc.logIn({ ...who, tenant: other.slug }))).toBe('303 /vms?tab=1')
    const [moved, ...rest] = await usersOf(who.sub)
    expect(rest).toEqual([])
    expect(moved).toMatchObject({ tenant_id: other.id, role: 'tenant.operator' })
    expect(moved?.['id']).not.toBe(former?.['id'])
    const refresh = await oidc.server.call('POST', '/auth/session/refresh', {
      headers: { cookie: cookieOf(first, 'berth-refresh'), 'x-berth-session': '1' },
    })
    expect(refresh.status).toBe(401)
    const audited = await oidc.world.database.sql(
      `select operation, tenant_id from audit_event where target_name = '${who.preferred_username}' and operation in ('removeMovedUser', 'provisionUser') order by operation, at`,
    )
    expect(audited).toEqual([
      { operation: 'provisionUser', tenant_id: oidc.tenant.id },
      { operation: 'provisionUser', tenant_id: other.id },
      { operation: 'removeMovedUser', tenant_id: oidc.tenant.id },
    ])
  })

  test.each([
    ['no tenant', { tenant: undefined }],
    ['an unknown tenant', { tenant: 'nowhere' }],
    ['an unknown role', { role: 'emperor' }],
    ['the role of root', { role: 'platform.root' }],
  ])('a later login whose token names %s is refused, and the user stays', async (_what, claims) => {
    const who = oidc.person({ role: 'tenant.operator' })
    await oidc.logIn(who)
    const before = await usersOf(who.sub)
    expect(redirectOf(await oidc.logIn({ ...who, ...claims }))).toBe('303 /login?fault=forbidden')
    expect(await usersOf(who.sub)).toEqual(before)
  })

  test('a user whose name is taken in the new tenant is refused there, and stays in the former one', async () => {
    const other = await oidc.world.aTenant()
    const who = oidc.person()
    await oidc.logIn(
      oidc.person({ preferred_username: who.preferred_username, tenant: other.slug }),
    )
    await oidc.logIn(who)
    const before = await usersOf(who.sub)
    expect(redirectOf(await oidc.logIn({ ...who, tenant: other.slug }))).toBe(
      '303 /login?fault=forbidden',
    )
    expect(await usersOf(who.sub)).toEqual(before)
  })
})

describe('groups', () => {
  const groupRoles = ['cloud-admins=tenant.admin', 'staff=tenant.operator']
  const grouped = () =>
    oidc.world.aServer({ oidc: { ...oidcSettings(oidc.issuer), roleClaim: 'groups', groupRoles } })

  test.each([
    [['staff', 'cloud-admins'], 'tenant.admin'],
    [['others', 'staff'], 'tenant.operator'],
    ['staff', 'tenant.operator'],
  ])('a user in the groups %j has the role %s', async (groups, role) => {
    const who = oidc.person({ groups })
    await oidc.logIn(who, {}, await grouped())
    expect(await usersOf(who.sub)).toMatchObject([{ role }])
  })

  test.each([[['others']], [[]], [undefined], [['tenant.admin']]])(
    'a user in the groups %j has no role and cannot log in',
    async (groups) => {
      const who = oidc.person({ groups })
      const at = await grouped()
      expect(redirectOf(await oidc.logIn(who, {}, at))).toBe('303 /login?fault=forbidden')
      expect(await usersOf(who.sub)).toEqual([])
    },
  )

  test('a user who left all groups cannot log in any more', async () => {
    const at = await grouped()
    const who = oidc.person({ groups: ['staff'] })
    await oidc.logIn(who, {}, at)
    expect(redirectOf(await oidc.logIn({ ...who, groups: ['others'] }, {}, at))).toBe(
      '303 /login?fault=forbidden',
    )
  })
})
