import { expect, test } from 'vitest'
import { FakeClock } from '../runtime/fake-clock.ts'
import { ChangeFeed } from './change-feed.ts'
import type { Socket } from './socket.ts'

interface Subscription {
  variables: object
  connect(): void
  receive(change: { cursor: string; kind: 'tenant' | 'user' | null; gap?: boolean }): void
  drop(closeCode: number | null): void
}

function aFeed({ renews = true, after = '7' }: { renews?: boolean; after?: string | null } = {}) {
  const clock = new FakeClock()
  const subscriptions: Subscription[] = []
  const calls = { renewals: 0 }
  const socket: Socket = {
    disconnect: () => undefined,
    subscribe({ variables }, listener) {
      subscriptions.push({
        variables,
        connect: () => listener.connected?.(),
        // The feed subscribes to changes only, so the event has the shape of that document.
        receive: ({ cursor, kind, gap = false }) =>
          listener.next({ changes: { cursor, kind, gap, objectId: 'x' } } as never),
        drop: (code) => listener.disconnected(code),
      })
      return () => undefined
    },
  }
  const renew = () => Promise.resolve((calls.renewals++, renews))
  const feed = new ChangeFeed({ clock, socket, renew })
  const latest = () => subscriptions.at(-1) ?? expect.fail('The feed has not subscribed.')
  feed.start(after)
  return { clock, feed, subscriptions, latest, calls, state: () => feed.freshness.value.state }
}

test('a burst of changes causes one refetch, and only of the queries that listen to its kind', () => {
  const { clock, feed, latest } = aFeed()
  const reads = { tenants: 0, users: 0 }
  feed.listen(['tenant'], () => (reads.tenants += 1))
  feed.listen(['user'], () => (reads.users += 1))
  latest().connect()
  for (let at = 0; at < 100; at += 1) latest().receive({ cursor: String(at), kind: 'tenant' })
  clock.pass(100)
  expect(reads).toEqual({ tenants: 1, users: 0 })
})

test('the feed resumes from the cursor of the first answer, and refetches everything when there is none', () => {
  for (const after of ['7', null]) {
    const { clock, feed, latest } = aFeed({ after })
    let reads = 0
    feed.listen(['user'], () => (reads += 1))
    expect(latest().variables).toEqual({ after })
    latest().connect()
    clock.pass(100)
    expect(reads).toBe(after === null ? 1 : 0)
  }
})

test('a gap makes every query refetch', () => {
  const { clock, feed, latest } = aFeed()
  let reads = 0
  feed.listen(['user'], () => (reads += 1))
  latest().receive({ cursor: '9', kind: null, gap: true })
  clock.pass(100)
  expect(reads).toBe(1)
})

test('a lost connection resumes after the last cursor, and a short loss is never shown', async () => {
  const { clock, latest, subscriptions, state } = aFeed()
  latest().connect()
  latest().receive({ cursor: '41', kind: 'tenant' })
  latest().drop(1006)
  clock.pass(500)
  await Promise.resolve()
  expect(subscriptions).toHaveLength(2)
  expect(latest().variables).toEqual({ after: '41' })
  latest().connect()
  clock.pass(60_000)
  expect(state()).toBe('live')
})

test('a long loss is shown as reconnecting, then as stale since it began, and the page polls', async () => {
  const { clock, feed, latest, state } = aFeed()
  let reads = 0
  feed.listen(['tenant'], () => (reads += 1))
  latest().connect()
  const lostAtMs = clock.now()
  for (let second = 0; second < 30; second += 1) {
    latest().drop(1006)
    clock.pass(1000)
    await Promise.resolve()
    if (second === 4) expect(state()).toBe('reconnecting')
  }
  expect(feed.freshness.value).toEqual({ state: 'stale', sinceMs: lostAtMs })
  expect(reads).toBeGreaterThan(2)
  reads = 0
  latest().connect()
  clock.pass(100)
  expect(state()).toBe('live')
  expect(reads).toBe(1)
})

test('a connection closed for its token renews the session first, and stays closed when the session has ended', async () => {
  for (const renews of [true, false]) {
    const { clock, latest, subscriptions, calls } = aFeed({ renews })
    latest().connect()
    latest().drop(4401)
    clock.pass(400)
    await new Promise(setImmediate)
    expect(calls.renewals).toBe(1)
    expect(subscriptions).toHaveLength(renews ? 2 : 1)
  }
})
