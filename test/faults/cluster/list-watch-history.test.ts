import { type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { follow, sandboxBehindProxy, scripted } from '../../support/cluster/watch-follower.ts'
import { answerJson, scriptedServer } from '../../support/cluster/scripted-server.ts'
import { type Clock, systemClock } from '../../../server/src/runtime/clock.ts'
import { waitFor } from '../../support/wait-for.ts'
import { event, expired, list, object } from '../../support/cluster/watch-events.ts'

/*
 * The watch faults of the reliability reference, section 3.5: the events and their order.
 */

/** Serves objects that change between lists, without the events that a stream loses. */
function quietly(
  objects: () => object[],
  events: (response: ServerResponse) => unknown = () => undefined,
): ReturnType<typeof scripted> {
  let version = 5
  return scripted({
    list: (response) => answerJson(response, 200, list(objects(), ++version)),
    watch: (response) => events(response),
  })
}

test('F-25: events that were dropped silently are found by the next comparison', async () => {
  const all = Array.from({ length: 14 }, (_, index) => object(`o${index}`, 10 + index))
  let present: object[] = []
  const server = await quietly(
    () => present,
    (response) => {
      present = all.slice(1)
      response.write(event('ADDED', object('o0', 10)))
      // Every seventh event is lost, and so is the deletion of the first object.
      for (const [index, each] of all.entries())
        if (index % 7 !== 0) response.write(event('ADDED', each))
    },
  )
  const { keys } = follow(server, { compareMs: 600 })
  await waitFor(
    () => keys.includes('o7 uid-o7') && keys.filter((key) => key === 'o0 uid-o0').length === 2,
  )
  expect(keys.filter((key) => key !== 'o0 uid-o0').sort()).toEqual(
    all
      .slice(1)
      .map((_, index) => `o${index + 1} uid-o${index + 1}`)
      .sort(),
  )
  expect(server.watches()).toHaveLength(1)
})

test('F-25: an event during a list is newer than the list, so a new object never counts as deleted', async () => {
  let release = (): void => undefined
  let sendEvents = (_text: string): void => undefined
  const server = await scripted({
    list(response, _query, nth) {
      if (nth === 1) return answerJson(response, 200, list([object('a', 1), object('b', 2)], 5))
      if (nth === 2)
        return void (release = () =>
          answerJson(response, 200, list([object('a', 1), object('b', 2)], 5)))
      return answerJson(response, 200, list([object('a', 1), object('c', 7)], 9))
    },
    watch: (response) => (sendEvents = (text) => response.write(text)),
  })
  const { keys } = follow(server, { compareMs: 300 })
  await waitFor(() => server.lists().length === 2)
  sendEvents(event('ADDED', object('c', 7)) + event('DELETED', object('b', 8)))
  await waitFor(() => keys.length === 4)
  release()
  await waitFor(() => server.lists().length === 4)
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'c uid-c', 'b uid-b'])
})

test('F-26: an old snapshot is corrected by the next comparison', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(
        response,
        200,
        nth === 2 ? list([object('a', 3)], 4) : list([object('a', 5), object('b', 6)], 6),
      ),
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server, { compareMs: 800 })
  await waitFor(() => server.lists().length >= 3 && keys.length >= 6, { timeoutMs: 8000 })
  expect(keys.slice(0, 6)).toEqual([
    'a uid-a',
    'b uid-b',
    'a uid-a',
    'b uid-b',
    'a uid-a',
    'b uid-b',
  ])
})

test('F-26: an older list after a reconnect reports keys and causes only reads', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(
        response,
        200,
        nth === 1 ? list([object('a', 5), object('b', 6)], 6) : list([object('a', 3)], 4),
      ),
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length >= 4)
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'a uid-a', 'b uid-b'])
  expect(server.requests.every(({ method }) => method === 'GET')).toBe(true)
})

test('F-27: another object of the same name counts as a deletion and a new object', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch: (response, _query, nth) =>
      nth === 1 && response.write(event('MODIFIED', object('a', 7, 'second'))),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length === 3)
  expect(keys).toEqual(['a uid-a', 'a uid-a', 'a second'])
})

test('F-28: a stopped watch is followed by one that reports the same objects and the changes in between', async () => {
  const { sandbox, make, endpoint } = await sandboxBehindProxy()
  const first = follow(endpoint)
  const retained = await make('kept')
  const removed = await make('removed')
  await waitFor(() => first.keys.includes(retained) && first.keys.includes(removed))
  await first.watch.stop()
  const reported = first.keys.length
  await sandbox.call('/api/v1/namespaces/removed', { method: 'DELETE' })
  const made = await make('made-meanwhile')
  const second = follow(endpoint)
  await waitFor(() => second.watch.isSynced())
  await waitFor(async () => (await sandbox.call('/api/v1/namespaces/removed')).status === 404)
  await waitFor(() => second.keys.includes(retained) && second.keys.includes(made))
  expect(first.keys).toHaveLength(reported)
})

test('F-29: a handler that throws, an unknown kind of event and an object without metadata are ignored', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch(response, _query, nth) {
      if (nth > 1) return
      response.write(
        event('SURPRISE', object('x', 6)) +
          event('ADDED', {}) +
          event('ADDED', object('b', 7)) +
          event('ADDED', object('c', 8)),
      )
    },
  })
  const { keys } = follow(server, {
    changed(name) {
      if (name === 'b') throw new Error('the handler has a bug')
    },
  })
  await waitFor(() => keys.includes('c uid-c'))
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'c uid-c'])
  expect(server.watches()).toHaveLength(1)
})

test('F-29: an unreadable line counts as a lost event, so the list is read again', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(response, 200, nth === 1 ? list([], 5) : list([object('b', 7)], 8)),
    watch: (response, _query, nth) =>
      nth === 1 && response.write('{"type":"ADDED","object":{"meta\n'),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.includes('b uid-b'))
})

test('F-30: a watch is not synced and reports nothing before the first complete list', async () => {
  let release = (): void => undefined
  const server = await scripted({
    list(response, query) {
      if (!query.has('continue'))
        return answerJson(response, 200, list([object('a', 1)], 5, 'next'))
      release = () => answerJson(response, 200, list([object('b', 2)], 5))
    },
    watch: () => undefined,
  })
  const { watch, keys } = follow(server)
  await waitFor(() => server.lists().length === 2)
  expect({ synced: watch.isSynced(), keys }).toEqual({ synced: false, keys: [] })
  release()
  await waitFor(() => watch.isSynced())
  expect(keys).toEqual(['a uid-a', 'b uid-b'])
  expect(watch.isStale()).toBe(false)
  expect(watch.lastEventAt()).toBeInstanceOf(Date)
})

test('a watch requests only names and versions, and accepts whole objects as well', async () => {
  const accepted: string[] = []
  const server = await scriptedServer((request, response) => {
    accepted.push(request.headers.accept ?? '')
    if (!request.url?.includes('watch=1'))
      return answerJson(response, 200, list([{ ...object('a', 1), spec: { big: true } }], 5))
    response.writeHead(200).flushHeaders()
    return undefined
  })
  onTestFinished(() => server.close())
  const { keys } = follow(server)
  await waitFor(() => accepted.length === 2)
  expect(keys).toEqual(['a uid-a'])
  expect(accepted[0]).toContain('as=PartialObjectMetadataList')
  expect(accepted[1]).toContain('as=PartialObjectMetadata;')
})

test('every stream requests bookmarks, and a bookmark advances the version', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([], 5)),
    watch: (response, _query, nth) =>
      nth === 1 && response.end(event('BOOKMARK', { metadata: { resourceVersion: '42' } })),
  })
  follow(server)
  await waitFor(() => server.watches().length === 2)
  const [first, second] = server.watches()
  expect(first?.path).toContain('allowWatchBookmarks=true')
  expect(second?.path).toContain('resourceVersion=42')
})

/** A clock that runs this many times as fast as the system's. */
const fastClock = (factor: number): Clock => ({
  ...systemClock,
  elapsedMs: () => systemClock.elapsedMs() * factor,
  sleep: (delayMs, signal) => systemClock.sleep(delayMs / factor, signal),
})

test('an idle stream stays open, because a bookmark comes once a minute', async () => {
  const factor = 20
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch: (response) => {
      const timer = setInterval(
        () => response.write(event('BOOKMARK', { metadata: { resourceVersion: '6' } })),
        60_000 / factor,
      )
      response.on('close', () => clearInterval(timer))
    },
  })
  follow(server, { clock: fastClock(factor) })
  await waitFor(() => server.watches().length === 1)
  await systemClock.sleep(140_000 / factor)
  expect(server.watches()).toHaveLength(1)
})
