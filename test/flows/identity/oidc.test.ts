import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oidcOn, sameOriginPath } from '../../../server/src/edge/session/oidc.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import { secret } from '../../support/world/identity-world.ts'
import { type Deviations, anIssuer } from '../../support/world/oidc-issuer.ts'
import {
  type OidcWorld,
  anOidcWorld,
  cookieOf,
  oidcSettings,
  redirectOf,
  uniqueName,
} from '../../support/world/oidc-world.ts'

let oidc: OidcWorld
beforeAll(async () => {
  oidc = await anOidcWorld()
})
afterAll(() => oidc[Symbol.asyncDispose]())

test('a login goes to the provider with PKCE, state and nonce, and comes back with a session', async () => {
  const who = oidc.person()
  const started = await oidc.start()
  expect(started.status).toBe(303)
  const location = new URL(started.headers.get('location')!)
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${oidc.server.url}/auth/oidc/callback`,
  })
  expect(location.searchParams.get('state')!.length).toBeGreaterThan(30)
  expect(location.searchParams.get('nonce')!.length).toBeGreaterThan(30)
  expect(started.cookies).toEqual([
    expect.stringMatching(/^berth-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
  ])
  const done = await oidc.back(
    oidc.issuer.consent(location.href, who),
    cookieOf(started, 'berth-oidc'),
  )
  expect(redirectOf(done)).toBe('303 /vms?tab=1')
  expect(cookieOf(done, 'berth-oidc')).toBe('berth-oidc=')
  const refreshed = await oidc.server.call('POST', '/auth/session/refresh', {
    headers: { cookie: cookieOf(done, 'berth-refresh'), 'x-berth-session': '1' },
  })
  const observed = await oidc.server.viewerFor(String(refreshed.body['accessToken']))
  expect(observed.body).toMatchObject({
    username: who.preferred_username,
    tenantId: oidc.tenant.id,
    role: 'user',
    credential: 'session',
  })
  expect((await oidc.server.call('GET', '/auth/methods')).body).toEqual({
    password: true,
    oidc: { displayName: 'Example', startUrl: '/auth/oidc/start' },
    failure: null,
  })
})

test('the login page gets the reason of a failed login once, and no forged one', async () => {
  const failed = await oidc.logIn(oidc.person({ tenant: undefined }))
  const cookie = cookieOf(failed, 'berth-login-failure')
  expect(failed.cookies).toContainEqual(
    expect.stringMatching(/^berth-login-failure=.*; Max-Age=60; HttpOnly; SameSite=Strict$/),
  )
  const methods = (cookies: string) =>
    oidc.server.call('GET', '/auth/methods', { headers: { cookie: cookies } })
  const shown = await methods(cookie)
  expect(shown.body['failure']).toMatchObject({
    code: 'forbidden',
    key: 'access.not_a_user',
    detail: expect.stringContaining('You have no active user for this identity.'),
    remedy: expect.stringContaining('Do what the message says.'),
  })
  expect(cookieOf(shown, 'berth-login-failure')).toBe('berth-login-failure=')
  for (const other of ['', 'berth-login-failure=', `${cookie.slice(0, -4)}AAAA`])
    expect((await methods(other)).body['failure']).toBeNull()
})

test('a subject stays the same user after a rename and never gets a password', async () => {
  const who = oidc.person()
  await oidc.logIn(who)
  expect(
    redirectOf(
      await oidc.logIn({
        ...who,
        preferred_username: uniqueName('renamed'),
        email: 'other@example.com',
      }),
    ),
  ).toBe('303 /vms?tab=1')
  const rows = await oidc.world.database.sql(
    `select username, password_hash from user_account where oidc_subject = '${who.sub}'`,
  )
  expect(rows).toEqual([{ username: who.preferred_username, password_hash: null }])
})

test.each([
  ['the name and the email address of another user', 'ROOT'],
  ['a name that is no username', 'two words!'],
])('an OIDC login with %s is refused, and names whom to ask', async (_what, name) => {
  const root = oidc.person({ preferred_username: name, email: 'root@berth.local' })
  const answer = await oidc.logIn(root)
  expect(redirectOf(answer)).toBe('303 /login?fault=forbidden')
  const cookie = cookieOf(answer, 'berth-login-failure')
  const shown = await oidc.server.call('GET', '/auth/methods', { headers: { cookie } })
  expect(shown.body['failure']).toMatchObject({
    key: 'access.provider_name_unusable',
    params: { name },
  })
  expect(
    await oidc.world.database.sql(`select 1 from user_account where oidc_subject = '${root.sub}'`),
  ).toEqual([])
})

describe('first logins', () => {
  test.each([
    ['has no tenant', { tenant: undefined }],
    ['names an unknown tenant', { tenant: 'nowhere' }],
    ['names the role of root', { role: 'platform.root' }],
    ['names an unknown role', { role: 'emperor' }],
  ])('a first login is refused when its token %s', async (_what, claims) => {
    const who = oidc.person(claims)
    expect(redirectOf(await oidc.logIn(who))).toBe('303 /login?fault=forbidden')
    expect(
      await oidc.world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('a first login is refused when no tenant claim is configured', async () => {
    const closed = await oidc.world.aServer({
      oidc: { ...oidcSettings(oidc.issuer), tenantClaim: null },
    })
    expect(redirectOf(await oidc.logIn(oidc.person(), {}, closed))).toBe(
      '303 /login?fault=forbidden',
    )
  })

  test('a user who was disabled after the first login is refused', async () => {
    const who = oidc.person()
    await oidc.logIn(who)
    const viewer = await oidc.world.viewerOf(who.preferred_username)
    await oidc.world.as(oidc.tenant.admin, (op) =>
      updateUser(op, { id: viewer.userId, state: 'disabled' }),
    )
    expect(redirectOf(await oidc.logIn(who))).toBe('303 /login?fault=forbidden')
  })
})

test('a token of the provider can name a role of the tenant', async () => {
  const who = oidc.person({ role: 'tenant.operator' })
  await oidc.logIn(who)
  expect((await oidc.world.viewerOf(who.preferred_username)).permissions).toContain('vms:write')
  const viewer = oidc.person()
  await oidc.logIn(viewer)
  expect((await oidc.world.viewerOf(viewer.preferred_username)).permissions).not.toContain(
    'vms:write',
  )
})

describe('attacks', () => {
  const refused = '303 /login?fault=unauthenticated'

  test.each<[string, () => Deviations]>([
    ['the nonce of another login', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another issuer in the token', () => ({ claims: { iss: 'http://127.0.0.1:1' } })],
    ['another issuer in the answer', () => ({ issParameter: 'http://127.0.0.1:1' })],
    ['another client', () => ({ claims: { aud: 'another-client' } })],
    ['an expiry in the past', () => ({ claims: { exp: 1_000_000_000 } })],
    ['another key', () => ({ signWith: oidc.issuer.aKey() })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['no subject', () => ({ claims: { sub: undefined } })],
  ])('an ID token with %s is refused', async (_what, bend) => {
    const who = oidc.person()
    const answer = await oidc.logIn(who, bend())
    expect(redirectOf(answer)).toBe(refused)
    expect(cookieOf(answer, 'berth-refresh')).toBe('')
    expect(
      await oidc.world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('a callback is refused in a browser that started no login or another one', async () => {
    const [mine, theirs] = [await oidc.start(), await oidc.start()]
    const answer = oidc.issuer.consent(theirs.headers.get('location')!, oidc.person())
    for (const cookie of ['', 'berth-oidc=', 'berth-oidc=AAAA', cookieOf(mine, 'berth-oidc')])
      expect(redirectOf(await oidc.back(answer, cookie))).toBe(refused)
  })

  test('a callback is refused without its state, with a used code or with a changed cookie', async () => {
    const started = await oidc.start()
    const cookie = cookieOf(started, 'berth-oidc')
    const answer = oidc.issuer.consent(started.headers.get('location')!, oidc.person())
    const bare = new URL(answer)
    bare.searchParams.delete('state')
    expect(redirectOf(await oidc.back(bare, cookie))).toBe(refused)
    expect(redirectOf(await oidc.back(answer, `${cookie.slice(0, -2)}AA`))).toBe(refused)
    expect(redirectOf(await oidc.back(answer, cookie))).toBe('303 /vms?tab=1')
    expect(redirectOf(await oidc.back(answer, cookie))).toBe(refused)
  })

  test('a login expires ten minutes after its start', async () => {
    const beganAgo = async (minutes: number): Promise<string> => {
      const clock = { now: () => new Date(Date.now() - minutes * 60_000) }
      const { location, transaction } = await oidcOn({
        config: oidcSettings(oidc.issuer),
        publicUrl: oidc.server.url,
        secret,
        clock,
      }).begin('/')
      return redirectOf(
        await oidc.back(oidc.issuer.consent(location, oidc.person()), `berth-oidc=${transaction}`),
      )
    }
    expect([await beganAgo(9), await beganAgo(11)]).toEqual(['303 /', refused])
  })

  test('a stolen code is refused in a login with another verifier', async () => {
    const [mine, theirs] = [await oidc.start(), await oidc.start()]
    const stolen = oidc.issuer.consent(theirs.headers.get('location')!, oidc.person())
    const myState = new URL(mine.headers.get('location')!).searchParams.get('state')!
    stolen.searchParams.set('state', myState)
    expect(redirectOf(await oidc.back(stolen, cookieOf(mine, 'berth-oidc')))).toBe(refused)
  })

  test.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/%09/evil.example\\@x',
    'javascript:alert(1)',
    '/\t/evil.example',
    '',
    'vms',
  ])('a login returns only to a page of the console: %j', async (returnTo) => {
    const path = sameOriginPath(returnTo)
    expect(new URL(path, 'https://cloud.example.com').origin).toBe('https://cloud.example.com')
    const started = await oidc.start(oidc.server, returnTo)
    const done = await oidc.back(
      oidc.issuer.consent(started.headers.get('location')!, oidc.person()),
      cookieOf(started, 'berth-oidc'),
    )
    expect(new URL(done.headers.get('location')!, oidc.server.url).origin).toBe(oidc.server.url)
  })

  test('a login reports `overloaded` when the provider does not answer', async () => {
    const gone = await anIssuer()
    await gone[Symbol.asyncDispose]()
    const orphan = await oidc.world.aServer({ oidc: oidcSettings(gone) })
    expect(redirectOf(await oidc.start(orphan))).toBe('303 /login?fault=overloaded')
  })

  test('a provider without https is refused unless it is on localhost', async () => {
    const plain = await oidc.world.aServer({
      oidc: { ...oidcSettings(oidc.issuer), issuer: 'http://idp.example.com' },
    })
    expect(redirectOf(await oidc.start(plain))).toBe('303 /login?fault=platform_error')
  })
})
