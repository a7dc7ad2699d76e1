import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oidcOn, sameOriginPath } from '../../../server/src/edge/session/oidc.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import {
  type Answered,
  type IdentityWorld,
  type IdentityServer,
  anIdentityWorld,
  secret,
} from '../../support/world/identity-world.ts'
import { type Deviations, type StubIssuer, anIssuer } from '../../support/world/oidc-issuer.ts'

let world: IdentityWorld
let issuer: StubIssuer
let server: IdentityServer
let tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>

const settings = (of: StubIssuer) => ({
  issuer: of.url,
  clientId: 'berth',
  clientSecret: new Secret('between us'),
  scopes: ['openid', 'profile', 'email'],
  displayName: 'Example',
  usernameClaim: 'preferred_username',
  tenantClaim: 'tenant' as string | null,
  roleClaim: 'role' as string | null,
})

beforeAll(async () => {
  world = await anIdentityWorld()
  issuer = await anIssuer()
  server = await world.aServer({ oidc: settings(issuer) })
  tenant = await world.aTenant()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await issuer[Symbol.asyncDispose]()
})

const unique = (stem: string): string => `${stem}-${randomUUID().slice(0, 8)}`
const person = (more: Record<string, unknown> = {}) => ({
  sub: randomUUID(),
  preferred_username: unique('p'),
  email: 'p@example.com',
  tenant: tenant.slug,
  ...more,
})
const cookieOf = (answer: Answered, name: string): string =>
  answer.cookies.find((cookie) => cookie.startsWith(`${name}=`))?.split(';')[0] ?? ''
const start = (at = server, returnTo = '/vms?tab=1') =>
  at.call('GET', `/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)
const back = (url: URL, cookie: string, at = server) =>
  at.call('GET', `/auth/oidc/callback${url.search}`, { headers: { cookie } })
const redirectOf = (answer: Answered): string =>
  `${answer.status} ${answer.headers.get('location')}`

async function logIn(
  claims: Record<string, unknown>,
  bent: Deviations = {},
  at = server,
): Promise<Answered> {
  const started = await start(at)
  return back(
    issuer.consent(started.headers.get('location')!, claims, bent),
    cookieOf(started, 'berth-oidc'),
    at,
  )
}

test('a login goes to the provider with PKCE, state and nonce, and comes back with a session', async () => {
  const who = person()
  const started = await start()
  expect(started.status).toBe(303)
  const location = new URL(started.headers.get('location')!)
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${server.url}/auth/oidc/callback`,
  })
  expect(location.searchParams.get('state')!.length).toBeGreaterThan(30)
  expect(location.searchParams.get('nonce')!.length).toBeGreaterThan(30)
  expect(started.cookies).toEqual([
    expect.stringMatching(/^berth-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
  ])
  const done = await back(issuer.consent(location.href, who), cookieOf(started, 'berth-oidc'))
  expect(redirectOf(done)).toBe('303 /vms?tab=1')
  expect(cookieOf(done, 'berth-oidc')).toBe('berth-oidc=')
  const refreshed = await server.call('POST', '/auth/session/refresh', {
    headers: { cookie: cookieOf(done, 'berth-refresh'), 'x-berth-session': '1' },
  })
  const observed = await server.viewerFor(String(refreshed.body['accessToken']))
  expect(observed.body).toMatchObject({
    username: who.preferred_username,
    tenantId: tenant.id,
    role: 'user',
    credential: 'session',
  })
  expect((await server.call('GET', '/auth/methods')).body).toEqual({
    password: true,
    oidc: { displayName: 'Example', startUrl: '/auth/oidc/start' },
    failure: null,
  })
})

test('the login page gets the reason of a failed login once, and no forged one', async () => {
  const failed = await logIn(person({ tenant: undefined }))
  const cookie = cookieOf(failed, 'berth-login-failure')
  expect(failed.cookies).toContainEqual(
    expect.stringMatching(/^berth-login-failure=.*; Max-Age=60; HttpOnly; SameSite=Strict$/),
  )
  const methods = (cookies: string) =>
    server.call('GET', '/auth/methods', { headers: { cookie: cookies } })
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
  const who = person()
  await logIn(who)
  expect(
    redirectOf(
      await logIn({ ...who, preferred_username: unique('renamed'), email: 'other@example.com' }),
    ),
  ).toBe('303 /vms?tab=1')
  const rows = await world.database.sql(
    `select username, password_hash from user_account where oidc_subject = '${who.sub}'`,
  )
  expect(rows).toEqual([{ username: who.preferred_username, password_hash: null }])
})

test.each([
  ['the name and the email address of another user', 'ROOT'],
  ['a name that is no username', 'two words!'],
])('an OIDC login with %s is refused, and names whom to ask', async (_what, name) => {
  const root = person({ preferred_username: name, email: 'root@berth.local' })
  const answer = await logIn(root)
  expect(redirectOf(answer)).toBe('303 /login?fault=forbidden')
  const cookie = cookieOf(answer, 'berth-login-failure')
  const shown = await server.call('GET', '/auth/methods', { headers: { cookie } })
  expect(shown.body['failure']).toMatchObject({
    key: 'access.provider_name_unusable',
    params: { name },
  })
  expect(
    await world.database.sql(`select 1 from user_account where oidc_subject = '${root.sub}'`),
  ).toEqual([])
})

describe('first logins', () => {
  test.each([
    ['has no tenant', { tenant: undefined }],
    ['names an unknown tenant', { tenant: 'nowhere' }],
    ['names the role of root', { role: 'platform.root' }],
    ['names an unknown role', { role: 'emperor' }],
  ])('a first login is refused when its token %s', async (_what, claims) => {
    const who = person(claims)
    expect(redirectOf(await logIn(who))).toBe('303 /login?fault=forbidden')
    expect(
      await world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('a first login is refused when no tenant claim is configured', async () => {
    const closed = await world.aServer({ oidc: { ...settings(issuer), tenantClaim: null } })
    expect(redirectOf(await logIn(person(), {}, closed))).toBe('303 /login?fault=forbidden')
  })

  test('a user who was disabled after the first login is refused', async () => {
    const who = person()
    await logIn(who)
    const viewer = await world.viewerOf(who.preferred_username)
    await world.as(tenant.admin, (op) => updateUser(op, { id: viewer.userId, state: 'disabled' }))
    expect(redirectOf(await logIn(who))).toBe('303 /login?fault=forbidden')
  })
})

test('a token of the provider can name a role of the tenant', async () => {
  const who = person({ role: 'tenant.operator' })
  await logIn(who)
  expect((await world.viewerOf(who.preferred_username)).permissions).toContain('vms:write')
  const viewer = person()
  await logIn(viewer)
  expect((await world.viewerOf(viewer.preferred_username)).permissions).not.toContain('vms:write')
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
    ['another key', () => ({ signWith: issuer.aKey() })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['no subject', () => ({ claims: { sub: undefined } })],
  ])('an ID token with %s is refused', async (_what, bend) => {
    const who = person()
    const answer = await logIn(who, bend())
    expect(redirectOf(answer)).toBe(refused)
    expect(cookieOf(answer, 'berth-refresh')).toBe('')
    expect(
      await world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('a callback is refused in a browser that started no login or another one', async () => {
    const [mine, theirs] = [await start(), await start()]
    const answer = issuer.consent(theirs.headers.get('location')!, person())
    for (const cookie of ['', 'berth-oidc=', 'berth-oidc=AAAA', cookieOf(mine, 'berth-oidc')])
      expect(redirectOf(await back(answer, cookie))).toBe(refused)
  })

  test('a callback is refused without its state, with a used code or with a changed cookie', async () => {
    const started = await start()
    const cookie = cookieOf(started, 'berth-oidc')
    const answer = issuer.consent(started.headers.get('location')!, person())
    const bare = new URL(answer)
    bare.searchParams.delete('state')
    expect(redirectOf(await back(bare, cookie))).toBe(refused)
    expect(redirectOf(await back(answer, `${cookie.slice(0, -2)}AA`))).toBe(refused)
    expect(redirectOf(await back(answer, cookie))).toBe('303 /vms?tab=1')
    expect(redirectOf(await back(answer, cookie))).toBe(refused)
  })

  test('a login expires ten minutes after its start', async () => {
    const beganAgo = async (minutes: number): Promise<string> => {
      const clock = { now: () => new Date(Date.now() - minutes * 60_000) }
      const { location, transaction } = await oidcOn({
        config: settings(issuer),
        publicUrl: server.url,
        secret,
        clock,
      }).begin('/')
      return redirectOf(await back(issuer.consent(location, person()), `berth-oidc=${transaction}`))
    }
    expect([await beganAgo(9), await beganAgo(11)]).toEqual(['303 /', refused])
  })

  test('a stolen code is refused in a login with another verifier', async () => {
    const [mine, theirs] = [await start(), await start()]
    const stolen = issuer.consent(theirs.headers.get('location')!, person())
    const myState = new URL(mine.headers.get('location')!).searchParams.get('state')!
    stolen.searchParams.set('state', myState)
    expect(redirectOf(await back(stolen, cookieOf(mine, 'berth-oidc')))).toBe(refused)
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
    const started = await start(server, returnTo)
    const done = await back(
      issuer.consent(started.headers.get('location')!, person()),
      cookieOf(started, 'berth-oidc'),
    )
    expect(new URL(done.headers.get('location')!, server.url).origin).toBe(server.url)
  })

  test('a login reports `overloaded` when the provider does not answer', async () => {
    const gone = await anIssuer()
    await gone[Symbol.asyncDispose]()
    const orphan = await world.aServer({ oidc: settings(gone) })
    expect(redirectOf(await start(orphan))).toBe('303 /login?fault=overloaded')
  })

  test('a provider without https is refused unless it is on localhost', async () => {
    const plain = await world.aServer({
      oidc: { ...settings(issuer), issuer: 'http://idp.example.com' },
    })
    expect(redirectOf(await start(plain))).toBe('303 /login?fault=platform_error')
  })
})
