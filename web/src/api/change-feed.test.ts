import { expect, test } from 'vitest'
import { FakeClock } from '../runtime/fake-clock.ts'
import { ChangeFeed } from './change-feed.ts'
import type { Socket } from './socket.ts'

interface Line {
  variables: object
  up(): void
  hear(change: { cursor: string; kind: 'tenant' | 'user' | null; gap?: boolean }): void
  drop(closeCode: number | null): void
}

function aFeed({ renews = true, after = '7' }: { renews?: boolean; after?: string | null } = {}) {
  const clock = new FakeClock()
  const lines: Line[] = []
  const seen = { renewals: 0 }
  const socket: Socket = {
    hangUp: () => undefined,
    subscribe({ variables }, hearer) {
      lines.push({
        variables,
        up: () => hearer.up?.(),
        // The feed subscribes to changes only, so this is the answer that its document has.
        hear: ({ cursor, kind, gap = false }) =>
          hearer.next({ changes: { cursor, kind, gap, objectId: 'x' } } as never),
        drop: (code) => hearer.down(code),
      })
      return () => undefined
    },
  }
  const renew = () => Promise.resolve((seen.renewals++, renews))
  const feed = new ChangeFeed({ clock, socket, renew })
  const line = () => lines.at(-1) ?? expect.fail('nobody subscribed')
  feed.start(after)
  return { clock, feed, lines, line, seen, state: () => feed.freshness.value.state }
}

test('a burst of changes is one reading, and only by those who listen to its kind', () => {
  const { clock, feed, line } = aFeed()
  const reads = { tenants: 0, users: 0 }
  feed.listen(['tenant'], () => (reads.tenants += 1))
  feed.listen(['user'], () => (reads.users += 1))
  line().up()
  for (let at = 0; at < 100; at += 1) line().hear({ cursor: String(at), kind: 'tenant' })
  clock.pass(100)
  expect(reads).toEqual({ tenants: 1, users: 0 })
})

test('what is on screen before anything is heard is followed from where it was read, or read again where nobody knows', () => {
  for (const after of ['7', null]) {
    const { clock, feed, line } = aFeed({ after })
    let reads = 0
    feed.listen(['user'], () => (reads += 1))
    expect(line().variables).toEqual({ after })
    line().up()
    clock.pass(100)
    expect(reads).toBe(after === null ? 1 : 0)
  }
})

test('a gap makes everyone read again', () => {
  const { clock, feed, line } = aFeed()
  let reads = 0
  feed.listen(['user'], () => (reads += 1))
  line().hear({ cursor: '9', kind: null, gap: true })
  clock.pass(100)
  expect(reads).toBe(1)
})

test('a lost connection resumes after the last cursor, and a short loss is never shown', async () => {
  const { clock, line, lines, state } = aFeed()
  line().up()
  line().hear({ cursor: '41', kind: 'tenant' })
  line().drop(1006)
  clock.pass(500)
  await Promise.resolve()
  expect(lines).toHaveLength(2)
  expect(line().variables).toEqual({ after: '41' })
  line().up()
  clock.pass(60_000)
  expect(state()).toBe('live')
})

test('a long loss is shown as reconnecting, then as stale since the moment it began, and the page polls', async () => {
  const { clock, feed, line, state } = aFeed()
  let reads = 0
  feed.listen(['tenant'], () => (reads += 1))
  line().up()
  const lostAtMs = clock.now()
  for (let second = 0; second < 30; second += 1) {
    line().drop(1006)
    clock.pass(1000)
    await Promise.resolve()
    if (second === 4) expect(state()).toBe('reconnecting')
  }
  expect(feed.freshness.value).toEqual({ state: 'stale', sinceMs: lostAtMs })
  expect(reads).toBeGreaterThan(2)
  reads = 0
  line().up()
  clock.pass(100)
  expect(state()).toBe('live')
  expect(reads).toBe(1)
})

test('a connection closed for its token renews the session first; a session that is over is not knocked at', async () => {
  for (const renews of [true, false]) {
    const { clock, line, lines, seen } = aFeed({ renews })
    line().up()
    line().drop(4401)
    clock.pass(400)
    await new Promise(setImmediate)
    expect(seen.renewals).toBe(1)
    expect(lines).toHaveLength(renews ? 2 : 1)
  }
})
