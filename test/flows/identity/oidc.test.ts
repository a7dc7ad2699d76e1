import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oidcOn, sameOriginPath } from '../../../server/src/edge/session/oidc.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { updateUser } from '../../../server/src/usecases/identity/update-user.ts'
import {
  type Answered,
  type IdentityWorld,
  type Site,
  anIdentityWorld,
  secret,
} from '../../support/world/identity-world.ts'
import { type Bent, type StubIssuer, anIssuer } from '../../support/world/oidc-issuer.ts'

let world: IdentityWorld
let issuer: StubIssuer
let site: Site
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
  site = await world.aSite({ oidc: settings(issuer) })
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
const start = (at = site, returnTo = '/vms?tab=1') =>
  at.call('GET', `/auth/oidc/start?returnTo=${encodeURIComponent(returnTo)}`)
const back = (url: URL, cookie: string, at = site) =>
  at.call('GET', `/auth/oidc/callback${url.search}`, { headers: { cookie } })
const placeOf = (answer: Answered): string => `${answer.status} ${answer.headers.get('location')}`

async function logIn(
  claims: Record<string, unknown>,
  bent: Bent = {},
  at = site,
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
    redirect_uri: `${site.url}/auth/oidc/callback`,
  })
  expect(location.searchParams.get('state')!.length).toBeGreaterThan(30)
  expect(location.searchParams.get('nonce')!.length).toBeGreaterThan(30)
  expect(started.cookies).toEqual([
    expect.stringMatching(/^berth-oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
  ])
  const done = await back(issuer.consent(location.href, who), cookieOf(started, 'berth-oidc'))
  expect(placeOf(done)).toBe('303 /vms?tab=1')
  expect(cookieOf(done, 'berth-oidc')).toBe('berth-oidc=')
  const refreshed = await site.call('POST', '/auth/session/refresh', {
    headers: { cookie: cookieOf(done, 'berth-refresh'), 'x-berth-session': '1' },
  })
  const seen = await site.whoIs(String(refreshed.body['accessToken']))
  expect(seen.body).toMatchObject({
    username: who.preferred_username,
    tenantId: tenant.id,
    role: 'user',
    credential: 'session',
  })
  expect((await site.call('GET', '/auth/methods')).body).toEqual({
    password: true,
    oidc: { displayName: 'Example', startUrl: '/auth/oidc/start' },
  })
})

test('the same subject is the same user, whatever it is called now, and a password is never theirs', async () => {
  const who = person()
  await logIn(who)
  expect(
    placeOf(
      await logIn({ ...who, preferred_username: unique('renamed'), email: 'other@example.com' }),
    ),
  ).toBe('303 /vms?tab=1')
  const rows = await world.database.sql(
    `select username, password_hash from user_account where oidc_subject = '${who.sub}'`,
  )
  expect(rows).toEqual([{ username: who.preferred_username, password_hash: null }])
})

test('a name or an address that another user has opens nothing of theirs', async () => {
  const root = person({ preferred_username: 'ROOT', email: 'root@berth.local' })
  expect(placeOf(await logIn(root))).toBe('303 /login?fault=already_exists')
  expect(
    await world.database.sql(`select 1 from user_account where oidc_subject = '${root.sub}'`),
  ).toEqual([])
})

describe('a first login is refused', () => {
  test.each([
    ['without a tenant', { tenant: undefined }],
    ['with a tenant that is not there', { tenant: 'nowhere' }],
    ['with the role of root', { role: 'platform.root' }],
    ['with a role that is not there', { role: 'emperor' }],
  ])('%s', async (_what, claims) => {
    const who = person(claims)
    expect(placeOf(await logIn(who))).toBe('303 /login?fault=forbidden')
    expect(
      await world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('where first logins are not configured', async () => {
    const closed = await world.aSite({ oidc: { ...settings(issuer), tenantClaim: null } })
    expect(placeOf(await logIn(person(), {}, closed))).toBe('303 /login?fault=forbidden')
  })

  test('and a user who was disabled since stays out', async () => {
    const who = person()
    await logIn(who)
    const viewer = await world.viewerOf(who.preferred_username)
    await world.as(tenant.admin, (op) => updateUser(op, { id: viewer.userId, state: 'disabled' }))
    expect(placeOf(await logIn(who))).toBe('303 /login?fault=forbidden')
  })
})

test('a role of the tenant can be asked for by the provider', async () => {
  const who = person({ role: 'tenant.operator' })
  await logIn(who)
  expect((await world.viewerOf(who.preferred_username)).permissions).toContain('vms:write')
  const viewer = person()
  await logIn(viewer)
  expect((await world.viewerOf(viewer.preferred_username)).permissions).not.toContain('vms:write')
})

describe('attacks', () => {
  const refused = '303 /login?fault=unauthenticated'

  test.each<[string, () => Bent]>([
    ['the nonce of another login', () => ({ claims: { nonce: 'another' } })],
    ['no nonce', () => ({ claims: { nonce: undefined } })],
    ['another issuer in the token', () => ({ claims: { iss: 'http://127.0.0.1:1' } })],
    ['another issuer in the answer', () => ({ issParameter: 'http://127.0.0.1:1' })],
    ['another client', () => ({ claims: { aud: 'somebody-else' } })],
    ['a token that has ended', () => ({ claims: { exp: 1_000_000_000 } })],
    ['another key', () => ({ signWith: issuer.aKey() })],
    ['no signature', () => ({ algorithm: 'none' })],
    ['no subject', () => ({ claims: { sub: undefined } })],
  ])('an ID token with %s opens nothing', async (_what, bend) => {
    const who = person()
    const answer = await logIn(who, bend())
    expect(placeOf(answer)).toBe(refused)
    expect(cookieOf(answer, 'berth-refresh')).toBe('')
    expect(
      await world.database.sql(`select 1 from user_account where oidc_subject = '${who.sub}'`),
    ).toEqual([])
  })

  test('an answer opens nothing in a browser that did not ask, or asked something else', async () => {
    const [mine, theirs] = [await start(), await start()]
    const answer = issuer.consent(theirs.headers.get('location')!, person())
    for (const cookie of ['', 'berth-oidc=', 'berth-oidc=AAAA', cookieOf(mine, 'berth-oidc')])
      expect(placeOf(await back(answer, cookie))).toBe(refused)
  })

  test('without its state, with its code used or its cookie changed, an answer opens nothing', async () => {
    const started = await start()
    const cookie = cookieOf(started, 'berth-oidc')
    const answer = issuer.consent(started.headers.get('location')!, person())
    const bare = new URL(answer)
    bare.searchParams.delete('state')
    expect(placeOf(await back(bare, cookie))).toBe(refused)
    expect(placeOf(await back(answer, `${cookie.slice(0, -2)}AA`))).toBe(refused)
    expect(placeOf(await back(answer, cookie))).toBe('303 /vms?tab=1')
    expect(placeOf(await back(answer, cookie))).toBe(refused)
  })

  test('a login that was begun more than ten minutes ago is begun again', async () => {
    const beganAgo = async (minutes: number): Promise<string> => {
      const clock = { now: () => new Date(Date.now() - minutes * 60_000) }
      const { location, transaction } = await oidcOn({
        config: settings(issuer),
        publicUrl: site.url,
        secret,
        clock,
      }).begin('/')
      return placeOf(await back(issuer.consent(location, person()), `berth-oidc=${transaction}`))
    }
    expect([await beganAgo(9), await beganAgo(11)]).toEqual(['303 /', refused])
  })

  test('a code that was stolen on its way is worth nothing to a login with another verifier', async () => {
    const [mine, theirs] = [await start(), await start()]
    const stolen = issuer.consent(theirs.headers.get('location')!, person())
    const myState = new URL(mine.headers.get('location')!).searchParams.get('state')!
    stolen.searchParams.set('state', myState)
    expect(placeOf(await back(stolen, cookieOf(mine, 'berth-oidc')))).toBe(refused)
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
  ])('what follows a login is a page of ours: %j', async (returnTo) => {
    const place = sameOriginPath(returnTo)
    expect(new URL(place, 'https://cloud.example.com').origin).toBe('https://cloud.example.com')
    const started = await start(site, returnTo)
    const done = await back(
      issuer.consent(started.headers.get('location')!, person()),
      cookieOf(started, 'berth-oidc'),
    )
    expect(new URL(done.headers.get('location')!, site.url).origin).toBe(site.url)
  })

  test('a provider that does not answer is said to be that', async () => {
    const gone = await anIssuer()
    await gone[Symbol.asyncDispose]()
    const orphan = await world.aSite({ oidc: settings(gone) })
    expect(placeOf(await start(orphan))).toBe('303 /login?fault=overloaded')
  })

  test('a provider without https is used on this machine only', async () => {
    const plain = await world.aSite({
      oidc: { ...settings(issuer), issuer: 'http://idp.example.com' },
    })
    expect(placeOf(await start(plain))).toBe('303 /login?fault=platform_error')
  })
})
