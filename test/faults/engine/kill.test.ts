import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from '../../support/wait-for.ts'
import { type Client } from '../../support/clients/http-client.ts'
import { type BerthProcess, aBerthProcess } from '../../support/world/berth-process.ts'
import { adminPassword, rootPassword, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'
import { testSeed } from '../../support/seed.ts'

let berth: BerthProcess
let root: Client
beforeAll(async () => {
  berth = await aBerthProcess()
  await berth.start()
  const login = await berth.wire.send('POST', '/api/v1/auth/login', {
    body: { username: 'root', password: rootPassword },
  })
  root = berth.wire.client(login.body.token)
}, 240_000)
afterAll(() => berth.remove())

const kills = 12

/** The generator mulberry32, as in all other tests. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Written {
  path: string
  body: Record<string, unknown>
  key: string
  /** The id of the created object, once the client has received it; null before. */
  acknowledgedId: string | null
}

const idIn = (body: Json): string => body.role?.id ?? body.tenant?.id ?? ''

/** True when Berth answers reads again. */
async function isBack(): Promise<boolean> {
  return (await root.rest('GET', '/roles?limit=1').catch(() => null))?.status === 200
}

async function send(entry: Written): Promise<number> {
  const { path, body, key } = entry
  const answer = await root
    .rest('POST', path, { body, headers: { 'idempotency-key': key } })
    .catch(() => null)
  if (answer?.status === 201) {
    expect(entry.acknowledgedId ?? idIn(answer.body)).toBe(idIn(answer.body))
    entry.acknowledgedId = idIn(answer.body)
  }
  return answer?.status ?? 0
}

describe('a server under a load of writes', () => {
  test('a kill -9 of Berth or PostgreSQL loses no acknowledged write, and the next start needs no repair', async () => {
    const random = randomFrom(testSeed)
    const history: Written[] = []
    const statuses = new Map<number, number>()
    let isOver = false
    const write = async (tenants: boolean): Promise<void> => {
      while (!isOver) {
        const slug = unique('w')
        const entry = tenants
          ? {
              path: '/tenants',
              body: { slug, admin_password: adminPassword },
              key: randomUUID(),
              acknowledgedId: null,
            }
          : {
              path: '/roles',
              body: { name: slug, permissions: [] },
              key: randomUUID(),
              acknowledgedId: null,
            }
        history.push(entry)
        const status = await send(entry)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status !== 201)
          await waitFor(async () => isOver || (await isBack()), {
            timeoutMs: 40_000,
            what: 'Berth to be back',
          })
      }
    }
    const writers = [write(false), write(false), write(false), write(true)]
    const started: number[] = []
    for (let round = 0; round < kills; round++) {
      const [at, before] = [performance.now() + 50 + random() * 900, history.length]
      await waitFor(() => performance.now() > at && history.length > before, {
        timeoutMs: 20_000,
        everyMs: 5,
        what: 'something to be written',
      })
      if (random() < 0.5) await berth.killPostgres()
      else {
        await berth.kill()
        started.push(await berth.start())
      }
      await waitFor(isBack, {
        timeoutMs: 30_000,
        what: `Berth after kill ${round}: ${berth.output().slice(-500)}`,
      })
    }
    isOver = true
    await Promise.all(writers)

    const acknowledged = history.filter(({ acknowledgedId }) => acknowledgedId !== null)
    const [roles, tenants] = [
      (await root.rest('GET', '/roles')).body.roles,
      (await root.rest('GET', '/tenants')).body.tenants,
    ]
    const present = new Map<string, string[]>(
      [
        ...roles.map(({ id, name }: Json) => [name, id]),
        ...tenants.map(({ id, slug }: Json) => [slug, id]),
      ].map(([name, id]) => [name, [id]]),
    )
    const nameOf = ({ body }: Written): string => String(body.name ?? body.slug)
    expect(
      acknowledged
        .filter((entry) => present.get(nameOf(entry))?.[0] !== entry.acknowledgedId)
        .map(nameOf),
      'lost',
    ).toEqual([])
    // An unanswered request happened either completely or not at all, and its key tells which.
    for (const entry of history.filter(({ acknowledgedId }) => acknowledgedId === null)) {
      const was = present.get(nameOf(entry))?.[0]
      expect(await send(entry), nameOf(entry)).toBe(201)
      if (was) expect(entry.acknowledgedId).toBe(was)
    }
    const open = async (): Promise<number> =>
      (await root.rest('GET', '/operations?state=pending&state=running')).body.operations.length
    await waitFor(async () => (await open()) === 0, {
      timeoutMs: 30_000,
      what: 'all operations to end',
    })
    const { operations } = (await root.rest('GET', '/operations')).body
    expect(operations.filter(({ state }: Json) => state !== 'succeeded')).toEqual([])
    expect(new Set(operations.map(({ target_id: id }: Json) => id)).size).toBe(operations.length)
    expect(acknowledged.length).toBeGreaterThan(kills * 5)
    expect(statuses.get(500) ?? 0, `answers by status ${JSON.stringify([...statuses])}`).toBe(0)
    expect(started.length, 'starts after a kill').toBeGreaterThan(2)
  }, 300_000)

  test('SIGTERM lets every accepted request finish, and the process exits with code 0 within 25 seconds', async () => {
    const { wire } = berth
    interface Sent {
      sentAt: number
      outcome: string
      took: number
    }
    const sent: Sent[] = []
    let isOver = false
    const write = async (): Promise<void> => {
      while (!isOver) {
        const entry: Sent = { sentAt: performance.now(), outcome: '', took: 0 }
        sent.push(entry)
        const headers = { authorization: `Bearer ${root.token}` }
        // Hashing a password takes a while, so many requests are under way when the signal arrives.
        const answer = await wire
          .send('POST', '/api/v1/users', {
            headers,
            body: { username: unique('u'), password: adminPassword },
          })
          .catch((error: unknown) => ({
            status: (error as NodeJS.ErrnoException).code ?? 'failed',
          }))
        entry.outcome = String(answer.status)
        entry.took = performance.now() - entry.sentAt
        if (entry.outcome === 'ECONNREFUSED') return
      }
    }
    const writers = Array.from({ length: 12 }, write)
    await waitFor(() => sent.filter(({ outcome }) => outcome === '201').length > 20, {
      timeoutMs: 20_000,
      what: 'load',
    })
    const signalledAt = performance.now()
    const { code, tookMs } = await berth.terminate()
    isOver = true
    await Promise.all(writers)
    expect(code).toBe(0)
    expect(tookMs).toBeLessThan(25_000)
    // A request that was sent less than this before the signal may not have been accepted.
    const accepted = sent.filter(
      ({ sentAt, took }) => sentAt < signalledAt - 50 && sentAt + took > signalledAt,
    )
    expect(accepted.length).toBeGreaterThan(0)
    expect(accepted.filter(({ outcome }) => outcome !== '201')).toEqual([])
    await berth.start()
    const { users } = (await root.rest('GET', '/users')).body
    expect(users.length - 1).toBeGreaterThanOrEqual(
      sent.filter(({ outcome }) => outcome === '201').length,
    )
  }, 240_000)
})
