import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type Answered,
  type IdentityServer,
  type IdentityWorld,
  adminPassword,
  anIdentityWorld,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let server: IdentityServer
let name: string
let userId: string

beforeAll(async () => {
  world = await anIdentityWorld()
  server = await world.aServer()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  await world.database.sql('truncate login_throttle, login_network')
  const { slug, admin } = await world.aTenant()
  name = `${slug}/${slug}-admin`
  userId = admin.userId
})

let networks = 0
/** Returns an address in a network from which no login was tried yet. */
function aNetwork(): string {
  networks += 1
  return networks % 2 ? `203.0.113.${networks}` : `2001:db8:0:${networks.toString(16)}::1`
}

const logIn = (
  password: string,
  { from = aNetwork(), cookie = '', username = name } = {},
): Promise<Answered> =>
  server.call('POST', '/auth/session', {
    body: { username, password },
    headers: { 'x-forwarded-for': from, cookie },
  })
const deviceOf = ({ cookies }: Answered): string =>
  cookies.find((each) => each.startsWith('berth-device='))?.split(';')[0] ?? ''
const statusOf = async (answer: Promise<Answered>): Promise<number> => (await answer).status

/** Makes waits that have begun long, so that a slow computer does not outlast them. */
const prolongWaits = () =>
  world.database.sql(
    `update login_throttle set blocked_until = now() + interval '5 minutes' where blocked_until > now()`,
  )

async function guessFrom(from: string, login: Parameters<typeof logIn>[1] = {}): Promise<number> {
  let checked = 0
  for (let turn = 0; turn < 14; turn++) {
    checked += (await statusOf(logIn('wrong', { ...login, from }))) === 401 ? 1 : 0
    await prolongWaits()
  }
  return checked
}

/** Guesses once from each of many networks, and returns how many guesses were checked. */
async function guessFromEverywhere(): Promise<number> {
  let checked = 0
  for (let turn = 0; turn < 11; turn++) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => statusOf(logIn('wrong'))))
    checked += answers.filter((status) => status === 401).length
    await prolongWaits()
  }
  return checked
}

test('a guesser in one network does not lock the owner out of another', async () => {
  const network = aNetwork()
  expect(await guessFrom(network)).toBe(11)
  expect(await statusOf(logIn(adminPassword, { from: network }))).toBe(429)
  expect(await statusOf(logIn(adminPassword))).toBe(200)
})

test('a guesser with many networks is bounded, and a client in a strange network waits, too', async () => {
  expect(await guessFromEverywhere()).toBeLessThanOrEqual(101)
  const refused = await logIn(adminPassword)
  expect([refused.status, refused.body['code']]).toEqual([429, 'too_many_requests'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
})

test('the owner logs in from a known network while a guesser has exhausted the account', async () => {
  const home = aNetwork()
  expect(await statusOf(logIn(adminPassword, { from: home }))).toBe(200)
  await guessFromEverywhere()
  for (let turn = 0; turn < 3; turn++)
    expect(await statusOf(logIn(adminPassword, { from: home }))).toBe(200)
  // The success of the owner gives the guesser no new guesses.
  expect(await statusOf(logIn('wrong'))).toBe(429)
})

test('the owner logs in with a known browser from a strange or a blocked network', async () => {
  const blocked = aNetwork()
  const cookie = deviceOf(await logIn(adminPassword))
  await guessFromEverywhere()
  await guessFrom(blocked)
  await world.database.sql(`update login_throttle set blocked_until = now() + interval '5 minutes'`)
  expect(await statusOf(logIn(adminPassword, { cookie }))).toBe(200)
  expect(await statusOf(logIn(adminPassword, { from: blocked, cookie }))).toBe(200)
})

test('the browser of another user, and a cookie that Berth did not seal, are strange', async () => {
  const { slug } = await world.aTenant()
  const cookie = deviceOf(await logIn(adminPassword, { username: `${slug}/${slug}-admin` }))
  expect(cookie).not.toBe('')
  await guessFromEverywhere()
  expect(await statusOf(logIn(adminPassword, { cookie }))).toBe(429)
  expect(await statusOf(logIn(adminPassword, { cookie: 'berth-device=x' }))).toBe(429)
})

test('guesses with a known browser are limited, also over many networks', async () => {
  const cookie = deviceOf(await logIn(adminPassword))
  let checked = 0
  for (let turn = 0; turn < 14; turn++) {
    checked += (await statusOf(logIn('wrong', { cookie }))) === 401 ? 1 : 0
    await prolongWaits()
  }
  expect(checked).toBe(11)
})

test('a browser remembers the last five users', async () => {
  const first = await logIn(adminPassword)
  let cookie = deviceOf(first)
  for (let turn = 0; turn < 5; turn++) {
    const { slug } = await world.aTenant()
    cookie = deviceOf(await logIn(adminPassword, { username: `${slug}/${slug}-admin`, cookie }))
  }
  await guessFromEverywhere()
  expect(await statusOf(logIn(adminPassword, { cookie }))).toBe(429)
  expect(await statusOf(logIn(adminPassword, { cookie: deviceOf(first) }))).toBe(200)
})

test('a user has at most ten known networks, the newest', async () => {
  const oldest = aNetwork()
  await logIn(adminPassword, { from: oldest })
  const newer = Array.from({ length: 10 }, aNetwork)
  for (const from of newer) await logIn(adminPassword, { from })
  expect(
    await world.database.sql(
      `select count(*)::int as rows from login_network where user_id = '${userId}'`,
    ),
  ).toEqual([{ rows: 10 }])
  await guessFromEverywhere()
  expect(await statusOf(logIn(adminPassword, { from: oldest }))).toBe(429)
  expect(await statusOf(logIn(adminPassword, { from: newer[0] }))).toBe(200)
})
