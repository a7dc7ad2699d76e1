import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type IdentityWorld,
  type IdentityServer,
  adminPassword,
  anIdentityWorld,
  rootPassword,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let server: IdentityServer
let tenant: Awaited<ReturnType<IdentityWorld['aTenant']>>

beforeAll(async () => {
  world = await anIdentityWorld()
  server = await world.aServer()
  tenant = await world.aTenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const sessionHeader = { 'x-berth-session': '1' }
const cookieOf = (answer: { cookies: string[] }): string => answer.cookies[0]?.split(';')[0] ?? ''
const logIn = (username = 'root', password = rootPassword) =>
  server.call('POST', '/auth/session', { body: { username, password } })
/** Makes every session this much older. */
const pass = (seconds: number) =>
  world.database.sql(
    `update session set last_used_at = last_used_at - interval '${seconds} seconds'`,
  )
const refresh = (cookie: string, headers: Record<string, string> = sessionHeader) =>
  server.call('POST', '/auth/session/refresh', { headers: { cookie, ...headers } })

test('a login gives the page a short token and sets cookies that no script can read', async () => {
  const opened = await logIn(' ROOT ')
  expect(opened.status).toBe(200)
  expect(opened.body).toMatchObject({
    user: { username: 'root', role: 'root', roleName: 'platform.root' },
    permissions: ['*'],
  })
  const leftMs = Date.parse(String(opened.body['expiresAt'])) - Date.now()
  expect(leftMs).toBeGreaterThan(500_000)
  expect(leftMs).toBeLessThanOrEqual(601_000)
  expect(opened.cookies).toEqual([
    expect.stringMatching(/^berth-refresh=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
    expect.stringMatching(
      /^berth-device=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
    ),
  ])
  expect(opened.headers.get('cache-control')).toBe('no-store')
  const observed = await server.viewerFor(String(opened.body['accessToken']))
  expect(observed.body).toMatchObject({
    username: 'root',
    role: 'root',
    credential: 'session',
    tenantNamed: false,
  })
})

test('the cookies of a login are bound to the host over https', async () => {
  const secure = await world.aServer({ publicUrl: 'https://cloud.example.com' })
  const opened = await secure.call('POST', '/auth/session', {
    body: { username: 'root', password: rootPassword },
  })
  expect(opened.cookies).toEqual([
    expect.stringMatching(
      /^__Host-berth-refresh=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    ),
    expect.stringMatching(
      /^__Host-berth-device=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Strict; Secure$/,
    ),
  ])
})

test('a refresh without a session cookie answers 204 and is not an error', async () => {
  expect(await refresh('other=1')).toMatchObject({ status: 204, cookies: [] })
  expect((await server.call('POST', '/auth/session/refresh')).status).toBe(403)
})

test('a refresh rotates the cookie, and the next token works', async () => {
  const first = cookieOf(await logIn())
  await pass(31)
  const renewed = await refresh(first)
  expect(renewed.status).toBe(200)
  expect(cookieOf(renewed)).not.toBe(first)
  expect((await server.viewerFor(String(renewed.body['accessToken']))).status).toBe(200)
  expect((await refresh(cookieOf(renewed))).status).toBe(200)
})

const opened = (cookie: string, questions: unknown, headers = {}) =>
  server.call('POST', '/auth/session/refresh', {
    headers: { cookie, ...sessionHeader, ...headers },
    body: { questions },
  })

test('the first queries of a page are answered with the refresh, as the new token would be', async () => {
  const answer = await opened(cookieOf(await logIn()), ['{}', '{}'], { 'x-tenant-id': tenant.slug })
  expect(answer.status).toBe(200)
  const [grant, ...answers] = answer.text.split('\n').map((line): unknown => JSON.parse(line))
  const { body } = await server.viewerFor((grant as { accessToken: string }).accessToken, {
    'x-tenant-id': tenant.slug,
  })
  expect(body).toMatchObject({ username: 'root', tenantId: tenant.id, tenantNamed: true })
  expect(answers).toEqual([body, body])
})

test('a query that cannot be answered with the refresh leaves the session usable', async () => {
  const answer = await opened(cookieOf(await logIn()), ['{}'], { 'x-tenant-id': 'nowhere' })
  const [grant, refused] = answer.text.split('\n')
  expect([answer.status, refused]).toEqual([200, ''])
  expect(
    (await server.viewerFor((JSON.parse(grant ?? '') as { accessToken: string }).accessToken))
      .status,
  ).toBe(200)
  expect((await refresh(cookieOf(answer))).status).toBe(200)
})

test.each([
  { because: 'they are no list', questions: '{}' },
  { because: 'they are no strings', questions: [{}] },
  { because: 'they are too many', questions: Array.from({ length: 6 }, () => '{}') },
])(
  'a refresh with malformed queries is refused and rotates no session: $because',
  async ({ questions }) => {
    expect(await opened(cookieOf(await logIn()), questions)).toMatchObject({
      status: 400,
      cookies: [],
    })
  },
)

test('two tabs that refresh at the same moment get the same session', async () => {
  const first = cookieOf(await logIn())
  await pass(31)
  const [one, two] = await Promise.all([refresh(first), refresh(first)])
  expect([one.status, two.status]).toEqual([200, 200])
  expect(cookieOf(one)).not.toBe(first)
  expect(cookieOf(one)).toBe(cookieOf(two))
  expect((await refresh(cookieOf(one))).status).toBe(200)
})

test('a slow tab gets its session when many tabs open at once', async () => {
  const first = cookieOf(await logIn())
  await pass(31)
  const second = cookieOf(await refresh(first))
  expect(cookieOf(await refresh(second))).toBe(second)
  const slowest = await refresh(first)
  expect([slowest.status, cookieOf(slowest)]).toEqual([200, second])
})

test('a reused refresh token ends the session for all its holders and leaves an audit row', async () => {
  const opened = await logIn(`${tenant.slug}-admin`, adminPassword)
  const stolen = cookieOf(opened)
  await pass(31)
  const renewed = await refresh(stolen)
  await pass(31)
  const again = await refresh(cookieOf(renewed))
  expect(again.status).toBe(200)
  expect((await refresh(stolen)).status).toBe(401)
  expect((await refresh(cookieOf(again))).status).toBe(401)
  const replica = await world.aServer()
  expect((await replica.viewerFor(String(again.body['accessToken']))).status).toBe(401)
  const events = await world.store
    .reads({ tenantId: tenant.id })
    .auditEvents.list({ first: 50, after: null }, { operation: 'endReplayedSession' })
  expect(events.nodes).toEqual([
    expect.objectContaining({
      actorName: `${tenant.slug}-admin`,
      targetKind: 'session',
      outcome: 'allowed',
    }),
  ])
})

test('the grace period for tabs ends after half a minute', async () => {
  const first = cookieOf(await logIn())
  await pass(31)
  const renewed = await refresh(first)
  await pass(31)
  expect((await refresh(first)).status).toBe(401)
  expect((await refresh(cookieOf(renewed))).status).toBe(401)
})

test('a forged refresh token ends no session, even with a valid session id', async () => {
  const cookie = cookieOf(await logIn())
  const [name, sessionId, generation] = /^(.*?=)([^.]+)\.(\d+)\./.exec(cookie)!.slice(1)
  for (const forged of [
    `${name}${sessionId}.${generation}.${'A'.repeat(43)}`,
    `${name}${sessionId}.7.${'A'.repeat(43)}`,
    `${name}x`,
  ]) {
    const answer = await refresh(forged)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ code: 'unauthenticated' })
  }
  expect((await refresh(cookie)).status).toBe(200)
})

test('a logout ends the session and its tokens, and can be repeated', async () => {
  const opened = await logIn()
  const cookie = cookieOf(opened)
  expect(
    (await server.call('DELETE', '/auth/session', { headers: { cookie, ...sessionHeader } }))
      .status,
  ).toBe(204)
  const again = await server.call('DELETE', '/auth/session', {
    headers: { cookie, ...sessionHeader },
  })
  expect(again).toMatchObject({
    status: 204,
    cookies: [expect.stringContaining('berth-refresh=; Path=/; Max-Age=0')],
  })
  expect((await refresh(cookie)).status).toBe(401)
  expect((await (await world.aServer()).viewerFor(String(opened.body['accessToken']))).status).toBe(
    401,
  )
})

test.each<{ because: string; headers: Record<string, string> }>([
  { because: 'another site cannot set the header of the console', headers: {} },
  {
    because: 'the browser names another origin',
    headers: { ...sessionHeader, origin: 'https://evil.example' },
  },
  { because: 'a sandboxed frame has no origin', headers: { ...sessionHeader, origin: 'null' } },
])('a session cannot be used across sites: $because', async ({ headers }) => {
  const cookie = cookieOf(await logIn())
  const renewed = await refresh(cookie, headers)
  const ended = await server.call('DELETE', '/auth/session', { headers: { cookie, ...headers } })
  expect([renewed.status, ended.status]).toEqual([403, 403])
  expect((await refresh(cookie, { ...sessionHeader, origin: server.url })).status).toBe(200)
})

test('a form of another site cannot log a user in', async () => {
  const body = JSON.stringify({ username: 'root', password: rootPassword })
  const form = await server.call('POST', '/auth/session', {
    body,
    headers: { 'content-type': 'text/plain' },
  })
  expect(form).toMatchObject({ status: 415, cookies: [] })
  const foreign = await server.call('POST', '/auth/session', {
    body,
    headers: { origin: 'https://evil.example' },
  })
  expect(foreign).toMatchObject({ status: 403, cookies: [] })
})

test('a GET request changes no session, and the refusal lists the allowed methods', async () => {
  const wrong = await server.call('GET', '/auth/session')
  expect(wrong.status).toBe(405)
  expect(wrong.headers.get('allow')).toBe('POST, DELETE')
  expect((await server.call('GET', '/auth/methods')).body).toEqual({
    password: true,
    oidc: null,
    failure: null,
  })
})
