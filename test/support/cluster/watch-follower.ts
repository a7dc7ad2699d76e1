import { type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { startListWatch } from '../../../server/src/engine/kube/watch/list-watch.ts'
import { namespaceKind } from '../../../server/src/cluster/tenant/namespace.ts'
import { type Watch } from '../../../server/src/engine/kube/watch/watch.ts'
import { type Clock, systemClock } from '../../../server/src/runtime/clock.ts'
import { startChaosProxy } from './chaos-proxy.ts'
import { type Endpoint, quietLog, transportTo } from './gateway.ts'
import { startSandboxProcess } from '../sandbox/sandbox.ts'
import { scriptedServer, type ScriptedServer } from './scripted-server.ts'

/* A list-watch and the servers that it follows. All of them stop with the test. */
interface Followed {
  watch: Watch
  /** The reported changes as `name uid`, in their order. */
  keys: string[]
}

interface FollowOptions {
  clock?: Clock
  inactivityMs?: number
  compareMs?: number
  changed?: (name: string) => void
  timeoutMs?: number
  isOptional?: boolean
  absentMs?: number
}

/** Follows the namespaces of a server and collects the reported changes. */
export function follow(endpoint: Endpoint, options: FollowOptions = {}): Followed {
  const keys: string[] = []
  const transport = transportTo(endpoint, options.timeoutMs)
  const changed = ({ name, uid }: { name: string; uid: string }): void => {
    keys.push(`${name} ${uid}`)
    options.changed?.(name)
  }
  const {
    clock = systemClock,
    inactivityMs,
    compareMs = 3600_000,
    isOptional = false,
    absentMs = 60_000,
  } = options
  const limits = { compareMs, isOptional, absentMs }
  const watch = startListWatch({
    of: namespaceKind,
    transport,
    clock,
    log: quietLog,
    changed,
    pageSize: 2,
    ...limits,
    ...(inactivityMs !== undefined && { inactivityMs }),
  })
  onTestFinished(async () => {
    await watch.stop()
    transport.close()
  })
  return { watch, keys }
}

interface Script {
  list: (response: ServerResponse, query: URLSearchParams, nth: number) => void
  watch: (response: ServerResponse, query: URLSearchParams, nth: number) => unknown
}

interface WatchedServer extends ScriptedServer {
  lists(): ScriptedServer['requests']
  watches(): ScriptedServer['requests']
}

/** Starts a server whose list and watch answers the test decides. */
export async function scripted(script: Script): Promise<WatchedServer> {
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
  onTestFinished(() => server.close())
  const isWatch = ({ path }: { path: string }): boolean => path.includes('watch=1')
  return {
    ...server,
    lists: () => server.requests.filter((each) => !isWatch(each)),
    watches: () => server.requests.filter(isWatch),
  }
}

/** Starts a sandbox that is reached through a proxy with faults. */
export async function sandboxBehindProxy() {
  const sandbox = await startSandboxProcess()
  const proxy = await startChaosProxy({
    host: '127.0.0.1',
    port: Number(new URL(sandbox.url).port),
  })
  onTestFinished(async () => {
    await proxy.close()
    await sandbox.stop()
  })
  const make = async (name: string): Promise<string> => {
    const body = { metadata: { name, labels: { 'berth.dev/managed-by': 'berth' } } }
    return `${name} ${(await sandbox.call('/api/v1/namespaces', { method: 'POST', body })).body.metadata.uid}`
  }
  return { sandbox, proxy, make, endpoint: { ...sandbox, url: `https://127.0.0.1:${proxy.port}` } }
}
