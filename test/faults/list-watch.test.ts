import { type ServerResponse } from 'node:http'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../server/src/runtime/clock.ts'
import { type ListWatch, startListWatch } from '../../server/src/cluster/kubevirt/list-watch.ts'
import { namespaceKind } from '../../server/src/cluster/kubevirt/namespace.ts'
import { startChaosProxy } from '../support/chaos-proxy.ts'
import { type Door, quietLog, transportTo } from '../support/gateway.ts'
import { startSandboxProcess } from '../support/sandbox.ts'
import { answerJson, scriptedServer, type ScriptedServer } from '../support/scripted-server.ts'
import { waitFor } from '../support/wait-for.ts'

/* The watch faults of the reliability reference, section 3.5. */
interface Followed {
  watch: ListWatch
  /** `name uid`, in the order in which they were reported. */
  keys: string[]
}

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

function follow(door: Door, options: { inactivityMs?: number; changed?: (name: string) => void; timeoutMs?: number } = {}): Followed {
  const keys: string[] = []
  const transport = transportTo(door, options.timeoutMs)
  const changed = ({ name, uid }: { name: string; uid: string }): void => {
    keys.push(`${name} ${uid}`)
    options.changed?.(name)
  }
  const limits = options.inactivityMs === undefined ? {} : { inactivityMs: options.inactivityMs }
  const watch = startListWatch({ of: namespaceKind, transport, clock: systemClock, log: quietLog, changed, pageSize: 2, ...limits })
  open.push(async () => {
    await watch.stop()
    transport.close()
  })
  return { watch, keys }
}

const object = (name: string, version: number, uid = `uid-${name}`) => ({ metadata: { name, uid, resourceVersion: String(version) } })
const list = (items: object[], version: number, after = '') => ({ metadata: { resourceVersion: String(version), continue: after }, items })
const event = (type: string, content: object): string => `${JSON.stringify({ type, object: content })}\n`
const expired = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' }

interface Script {
  list: (response: ServerResponse, query: URLSearchParams, nth: number) => void
  watch: (response: ServerResponse, query: URLSearchParams, nth: number) => void
}

async function scripted(script: Script): Promise<ScriptedServer> {
  let lists = 0
  let watches = 0
  const server = await scriptedServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams
    if (query.has('watch')) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.flushHeaders()
      script.watch(response, query, ++watches)
    } else script.list(response, query, ++lists)
  })
  open.push(() => server.close())
  return server
}

const watchesOf = (server: ScriptedServer) => server.requests.filter(({ path }) => path.includes('watch=1'))
const listsOf = (server: ScriptedServer) => server.requests.filter(({ path }) => !path.includes('watch=1'))

async function sandboxBehindProxy() {
  const sandbox = await startSandboxProcess()
  const proxy = await startChaosProxy({ host: '127.0.0.1', port: Number(new URL(sandbox.url).port) })
  onTestFinished(async () => {
    await proxy.close()
    await sandbox.stop()
  })
  const make = async (name: string): Promise<string> => {
    const body = { metadata: { name, labels: { 'berth.dev/managed-by': 'berth' } } }
    return `${name} ${(await sandbox.call('/api/v1/namespaces', { method: 'POST', body })).body.metadata.uid}`
  }
  return { sandbox, proxy, make, door: { ...sandbox, url: `https://127.0.0.1:${proxy.port}` } }
}

test('F-20: a reset in mid-stream loses nothing and is healed within 2 s', async () => {
  const { proxy, make, door } = await sandboxBehindProxy()
  const { watch, keys } = follow(door)
  await waitFor(() => watch.isSynced())
  const before = await make('before')
  await waitFor(() => keys.includes(before))
  proxy.reset()
  const during = await make('during')
  await waitFor(() => keys.includes(during), { timeoutMs: 2500 })
  expect(keys.filter((key) => key === before)).toHaveLength(1)
})

test('F-20: a stream cut in the middle of a line skips half a line and no event', async () => {
  const { proxy, make, door } = await sandboxBehindProxy()
  const { watch, keys } = follow(door)
  await waitFor(() => watch.isSynced())
  proxy.chaos.cutAfterBytes = 9000
  proxy.reset()
  const made: string[] = []
  for (let index = 0; index < 20; index += 1) made.push(await make(`cut-${index}`))
  proxy.heal()
  await waitFor(() => made.every((key) => keys.includes(key)), { timeoutMs: 8000 })
}, 20_000)

test('F-21: clean closes without a word are answered with at most one connection a second', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([], 5)),
    watch: (response) => response.end(),
  })
  const { watch } = follow(server)
  await waitFor(() => watchesOf(server).length >= 5, { timeoutMs: 25_000 })
  const times = watchesOf(server).map(({ at }) => at)
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(950)
  expect(watch.isSynced()).toBe(true)
}, 30_000)

test('F-22: 410 in the stream leads to a new list, and a deletion that was missed is found', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(response, 200, nth === 1 ? list([object('a', 1), object('b', 2)], 5) : list([object('a', 1)], 9)),
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length === 3)
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'b uid-b'])
  await waitFor(() => watchesOf(server).at(-1)?.path.includes('resourceVersion=9') === true)
})

test('F-22: 410 on the way through the pages starts the list over and infers nothing from half of it', async () => {
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
  expect(listsOf(server)).toHaveLength(4)
}, 12_000)

test('F-23: a list that fails or hangs is tried again for ever, and nothing counts as deleted meanwhile', async () => {
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
}, 20_000)

test('F-24: a half-open connection is noticed by its silence and the stream goes on from the last version', async () => {
  const { proxy, make, door } = await sandboxBehindProxy()
  const { watch, keys } = follow(door, { inactivityMs: 800 })
  await waitFor(() => watch.isSynced())
  const before = await make('before')
  await waitFor(() => keys.includes(before))
  proxy.chaos.blackHole = true
  const during = await make('during')
  // Once the dead stream was given up, a new connection arrives at the proxy.
  const connections = proxy.connections()
  await waitFor(() => proxy.connections() > connections, { timeoutMs: 4000 })
  proxy.heal()
  await waitFor(() => keys.includes(during), { timeoutMs: 12_000 })
  expect(keys.filter((key) => key === before)).toHaveLength(1)
}, 25_000)

test('F-26: an older list after a reconnect reports keys and asks for nothing else', async () => {
  const server = await scripted({
    list: (response, _query, nth) =>
      answerJson(response, 200, nth === 1 ? list([object('a', 5), object('b', 6)], 6) : list([object('a', 3)], 4)),
    watch: (response, _query, nth) => nth === 1 && response.end(event('ERROR', expired)),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length >= 4)
  expect(keys).toEqual(['a uid-a', 'b uid-b', 'a uid-a', 'b uid-b'])
  expect(server.requests.every(({ method }) => method === 'GET')).toBe(true)
})

test('F-27: another object of the same name is a deletion and a new object', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch: (response, _query, nth) => nth === 1 && response.write(event('MODIFIED', object('a', 7, 'second'))),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.length === 3)
  expect(keys).toEqual(['a uid-a', 'a uid-a', 'a second'])
})

test('F-29: a handler that throws, an unknown kind of event and an object without metadata are passed over', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([object('a', 1)], 5)),
    watch(response, _query, nth) {
      if (nth > 1) return
      response.write(
        event('SURPRISE', object('x', 6)) + event('ADDED', {}) + event('ADDED', object('b', 7)) + event('ADDED', object('c', 8)),
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
  expect(watchesOf(server)).toHaveLength(1)
})

test('F-29: a line that cannot be read counts as a lost event: the list is read again', async () => {
  const server = await scripted({
    list: (response, _query, nth) => answerJson(response, 200, nth === 1 ? list([], 5) : list([object('b', 7)], 8)),
    watch: (response, _query, nth) => nth === 1 && response.write('{"type":"ADDED","object":{"meta\n'),
  })
  const { keys } = follow(server)
  await waitFor(() => keys.includes('b uid-b'))
})

test('F-30: before the first complete list nothing is known, nothing is reported and nobody calls it synced', async () => {
  let release = (): void => undefined
  const server = await scripted({
    list(response, query) {
      if (!query.has('continue')) return answerJson(response, 200, list([object('a', 1)], 5, 'next'))
      release = () => answerJson(response, 200, list([object('b', 2)], 5))
    },
    watch: () => undefined,
  })
  const { watch, keys } = follow(server)
  await waitFor(() => listsOf(server).length === 2)
  expect({ synced: watch.isSynced(), keys }).toEqual({ synced: false, keys: [] })
  release()
  await waitFor(() => watch.isSynced())
  expect(keys).toEqual(['a uid-a', 'b uid-b'])
  expect(watch.isStale()).toBe(false)
  expect(watch.lastEventAt()).toBeInstanceOf(Date)
})

test('every stream asks for bookmarks, and a bookmark moves the version on', async () => {
  const server = await scripted({
    list: (response) => answerJson(response, 200, list([], 5)),
    watch: (response, _query, nth) => nth === 1 && response.end(event('BOOKMARK', { metadata: { resourceVersion: '42' } })),
  })
  follow(server)
  await waitFor(() => watchesOf(server).length === 2)
  const [first, second] = watchesOf(server)
  expect(first?.path).toContain('allowWatchBookmarks=true')
  expect(second?.path).toContain('resourceVersion=42')
})
