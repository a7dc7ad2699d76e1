import { expect, test } from 'vitest'
import { follow, sandboxBehindProxy, scripted } from '../../support/cluster/watch-follower.ts'
import { answerJson } from '../../support/cluster/scripted-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import { event, expired, list, object } from '../../support/cluster/watch-events.ts'

/**
 * Expects about one arrival a second. A busy computer delays an arrival and shortens the gap that
 * follows, but retries without a delay leave gaps of milliseconds.
 */
function expectOnceASecond(arrivals: readonly { at: number }[]): void {
  const gaps = arrivals.slice(1).map(({ at }, index) => at - (arrivals[index]?.at ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(500)
  expect(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length).toBeGreaterThanOrEqual(900)
}

/*
 * The watch faults of the reliability reference, section 3.5: the connection and the list.
 */

test('F-20: a reset in mid-stream loses nothing and is repaired within 2 s', async () => {
  const { proxy, make, endpoint } = await sandboxBehindProxy()
  const { watch, keys } = follow(endpoint)
  await waitFor(() => watch.isSynced())
  const before = await make('before')
  await waitFor(() => keys.includes(before))
  proxy.reset()
  const during = await make('during')
  await waitFor(() => keys.includes(during), { timeoutMs: 2500 })
  expect(keys.filter((key) => key === before)).toHaveLength(1)
})

test('F-20: a stream that is cut in the middle of a line loses no event', async () => {
  const { proxy, make, endpoint } = await sandboxBehindProxy()
  const { watch, keys } = follow(endpoint)
  await waitFor(() => watch.isSynced())
  proxy.chaos.cutAfterBytes = 9000
  proxy.reset()
  const made: string[] = []
  for (let index = 0; index < 20; index += 1) made.push(await make(`cut-${index}`))
  proxy.heal()
  await waitFor(() => made.every((key) => keys.includes(key)), { timeoutMs: 8000 })
})

test('F-20: repeated resets cause one connection a second, and the last change is reported within 2 s', async () => {
  const { proxy, make, endpoint } = await sandboxBehindProxy()
  const { watch, keys } = follow(endpoint)
  await waitFor(() => watch.isSynced())
  const connections = proxy.connections()
  const since = performance.now()
  for (let turn = 0; turn < 7; turn += 1) {
    const lastEventAt = watch.lastEventAt()
    proxy.reset()
    // The next stream is established.
    await waitFor(() => watch.lastEventAt() !== lastEventAt)
  }
  expect(proxy.connections() - connections).toBeLessThanOrEqual(
    (performance.now() - since) / 950 + 1,
  )
  const last = await make('after-all')
  await waitFor(() => keys.includes(last), { timeoutMs: 2000 })
})

test('F-21: streams that close without an event cause at most one connection a second', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([], 5)),
    watch: (response) => response.end(),
  })
  const { watch } = follow(server)
  await waitFor(() => server.watches().length >= 5, { timeoutMs: 25_000 })
  expectOnceASecond(server.watches())
  expect(watch.isSynced()).toBe(true)
})

test('F-22: a 410 in the stream leads to a new list, and a missed deletion is found', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(
        response,
        200,
        nth === 1 ? list([object('a', 1), object('b', 2)], 5) : list([object('a', 1)], 9),
      ),
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length === 3, { timeoutMs: 2000 })
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'b uid-b'])
  await waitFor(() => server.watches().at(-1)?.path.includes('resourceVersion=9') === true)
})

test('F-22: a 410 between pages restarts the list, and half a list implies nothing', async () => {
  const server = await scripted({
    list(response, query, nth) {
      if (nth === 2) return answerJson(response, 410, { ...expired, status: 'Failure' })
      if (query.has('continue')) return answerJson(response, 200, list([object('b', 2)], 6))
      return answerJson(response, 200, list([object('a', 1)], 6, 'next'))
    },
    watch: () => undefined,
  })
  const { watch, keys } = follow(server)
  await waitFor(() => watch.isSynced(), { timeoutMs: 8000 })
  expect(keys).toEqual(['a uid-a', 'b uid-b'])
  expect(server.lists()).toHaveLength(4)
})

test('F-22: repeated 410 answers cause at most one request a second', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch: (response) => response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server)
  await waitFor(() => server.watches().length >= 4, { timeoutMs: 25_000 })
  expectOnceASecond(server.watches())
  expect(keys).toEqual(['a uid-a'])
})

test('F-23: a list that fails or hangs is retried for ever, and no object counts as deleted until it succeeds', async () => {
  const server = await scripted({
    list(response, _query, nth) {
      if (nth === 1) return answerJson(response, 200, list([object('a', 1)], 5))
      if (nth === 2) return answerJson(response, 500, { message: 'boom' })
      if (nth === 3) return answerJson(response, 429, { message: 'slow down' })
      if (nth === 4) return undefined
      return answerJson(response, 200, list([object('a', 1), object('b', 7)], 8))
    },
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server, { timeoutMs: 700 })
  await waitFor(() => keys.includes('b uid-b'), { timeoutMs: 14_000 })
  expect(keys).toEqual(['a uid-a', 'b uid-b'])
})

test('F-24: a half-open connection is detected by its silence, and the stream continues from the last version', async () => {
  const { proxy, make, endpoint } = await sandboxBehindProxy()
  const { watch, keys } = follow(endpoint, { inactivityMs: 800 })
  await waitFor(() => watch.isSynced())
  const before = await make('before')
  await waitFor(() => keys.includes(before))
  proxy.chaos.blackHole = true
  const during = await make('during')
  // After the dead stream is given up, a new connection arrives at the proxy.
  const connections = proxy.connections()
  await waitFor(() => proxy.connections() > connections, { timeoutMs: 4000 })
  proxy.heal()
  await waitFor(() => keys.includes(during), { timeoutMs: 12_000 })
  expect(keys.filter((key) => key === before)).toHaveLength(1)
})

test('an optional kind that the cluster lacks is polled, and no object counts as missing until the kind exists', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      nth < 3
        ? answerJson(response, 404, '404 page not found')
        : answerJson(response, 200, list([object('a', 1)], 5)),
    watch: () => undefined,
  })
  const { watch, keys } = follow(server, { isOptional: true, absentMs: 1_500 })
  await waitFor(() => server.lists().length === 2, { timeoutMs: 8_000 })
  expect([watch.isSynced(), watch.at({ namespace: null, name: 'a' }), keys]).toEqual([
    false,
    null,
    [],
  ])
  const [first, second] = server.lists()
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_400)
  await waitFor(() => keys.length === 1, { timeoutMs: 8_000 })
  expect(watch.isSynced()).toBe(true)
})
