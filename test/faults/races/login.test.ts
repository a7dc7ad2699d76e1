import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answered,
  type IdentityWorld,
  type IdentityServer,
  adminPassword,
  anIdentityWorld,
} from '../../support/world/identity-world.ts'

let world: IdentityWorld
let one: IdentityServer
let two: IdentityServer

beforeAll(async () => {
  world = await anIdentityWorld()
  one = await world.aServer()
  two = await world.aServer()
})
afterAll(() => world[Symbol.asyncDispose]())

let addresses = 0
/** Returns an address from which no login was tried yet. */
function anAddress(): string {
  addresses += 1
  return `203.0.${addresses >> 8}.${addresses & 255}`
}
const logIn = (
  username: string,
  password: string,
  { at = one, address = anAddress() } = {},
): Promise<Answered> =>
  at.call('POST', '/auth/session', {
    body: { username, password },
    headers: { 'x-forwarded-for': address },
  })
/** Sets the end of all waits that have begun. */
const setWaits = (end: string): Promise<unknown> =>
  world.database.sql(
    `update login_throttle set blocked_until = ${end} where blocked_until is not null`,
  )
const unique = (): string => `unknown-${randomUUID().slice(0, 8)}`
const statuses = (answers: readonly Answered[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('password guessing', () => {
  test('password attempts are slowed per account and network across all replicas, and the owner can log in after the wait', async () => {
    const { slug } = await world.aTenant()
    const name = `${slug}-admin`
    const address = anAddress()
    const wrong: Answered[] = []
    for (let turn = 0; turn < 14; turn++) {
      // A busy computer may take longer than the first wait, which is a second.
      if (turn === 11) await setWaits(`now() + interval '1 minute'`)
      wrong.push(
        await logIn(turn % 2 ? name : name.toUpperCase(), 'wrong', {
          at: turn % 2 ? one : two,
          address,
        }),
      )
    }
    expect(wrong.map(({ status }) => status)).toEqual([
      ...new Array<number>(11).fill(401),
      429,
      429,
      429,
    ])
    expect(Number(wrong.at(-1)!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(wrong.at(-1)!.body).toMatchObject({ code: 'too_many_requests' })
    expect((await logIn(name, adminPassword, { address })).status).toBe(429)
    expect((await logIn(name, adminPassword)).status).toBe(200)
    await setWaits('now()')
    expect((await logIn(name, adminPassword, { address })).status).toBe(200)
    expect((await logIn(name, 'wrong', { address })).status).toBe(401)
  })

  test('each failure after the free ones doubles the wait, up to a minute', async () => {
    const name = unique()
    const address = anAddress()
    const waits: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      await logIn(name, 'wrong', { address })
      const [row] = await world.database.sql(
        `select extract(epoch from blocked_until - last_at)::int as wait from login_throttle where failures = ${turn + 1} and blocked_until > now()`,
      )
      if (row) waits.push(Number(row['wait']))
      await world.database.sql(`update login_throttle set blocked_until = now()`)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
  })

  test('a burst of attempts is counted before any of them is checked', async () => {
    const name = unique()
    const address = anAddress()
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        logIn(name, 'wrong', { at: turn % 2 ? one : two, address }),
      ),
    )
    const counts = statuses(answers)
    expect(counts['401']).toBeLessThanOrEqual(11)
    expect((counts['401'] ?? 0) + (counts['429'] ?? 0)).toBe(30)
  })

  test('an address that tries many names is slowed, and another address is not', async () => {
    const address = anAddress()
    const attempts = async (count: number) => {
      const answers: Answered[] = []
      for (let turn = 0; turn < count; turn += 10)
        answers.push(
          ...(await Promise.all(
            Array.from({ length: 10 }, () => logIn(unique(), 'wrong', { address })),
          )),
        )
      return statuses(answers)
    }
    const counts = await attempts(130)
    expect(counts['401']).toBeLessThanOrEqual(101)
    expect(counts['429']).toBeGreaterThanOrEqual(29)
    expect((await logIn(unique(), 'wrong')).status).toBe(401)
  })

  test('addresses of one IPv6 network count together', async () => {
    const before = await world.database.sql('select count(*)::int as rows from login_throttle')
    const name = `nowhere/${unique()}`
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2:0:0:0:9'])
      await logIn(name, 'wrong', { address })
    const after = await world.database.sql('select count(*)::int as rows from login_throttle')
    expect(Number(after[0]!['rows']) - Number(before[0]!['rows'])).toBe(3)
  })

  test('successful logins are never slowed, even when many come from one address', async () => {
    const { slug } = await world.aTenant()
    const address = anAddress()
    await world.database.sql('truncate login_throttle')
    for (let turn = 0; turn < 12; turn++)
      expect((await logIn(`${slug}-admin`, adminPassword, { address })).status).toBe(200)
    const [row] = await world.database.sql('select max(failures) as most from login_throttle')
    expect(Number(row!['most'])).toBe(0)
  })
})

test('an existing user name cannot be told apart from an unknown one', async () => {
  const { slug } = await world.aTenant()
  const known: number[] = []
  const unknown: number[] = []
  const bodies = new Set<string>()
  const timed = async (into: number[], name: string) => {
    const started = performance.now()
    const { body } = await logIn(name, 'wrong password')
    into.push(performance.now() - started)
    bodies.add(`${String(body['code'])} ${String(body['detail'])}`)
    await world.database.sql('truncate login_throttle')
  }
  for (let turn = 0; turn < 25; turn++) {
    await timed(known, `${slug}-admin`)
    await timed(unknown, unique())
  }
  const median = (times: number[]): number => times.toSorted((a, b) => a - b)[12]!
  expect(bodies.size).toBe(1)
  expect(median(known) / median(unknown)).toBeGreaterThan(0.5)
  expect(median(known) / median(unknown)).toBeLessThan(2)
})

test('a flood of logins is partly refused, and a logged-in user still gets answers', async () => {
  const { slug } = await world.aTenant()
  const opened = await logIn(`${slug}-admin`, adminPassword)
  const token = String(opened.body['accessToken'])
  await one.viewerFor(token)
  const flood = Promise.all(Array.from({ length: 200 }, () => logIn(unique(), 'wrong')))
  for (let turn = 0; turn < 20; turn++) expect((await one.viewerFor(token)).status).toBe(200)
  const answers = await flood
  expect(Object.keys(statuses(answers)).toSorted()).toEqual(['401', '429'])
  for (const { headers } of answers.filter(({ status }) => status === 429))
    expect(headers.get('retry-after')).toMatch(/^\d+$/)
  const refused = await world.store
    .reads('platform')
    .auditEvents.count({ operation: 'login', outcome: 'refused' })
  expect(refused).toBeGreaterThanOrEqual(200)
})
