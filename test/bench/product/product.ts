import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { root } from './bundle.ts'
import { type Child, startChild } from '../process/child.ts'

/** A started Berth, as built. */
export interface Product extends AsyncDisposable {
  readonly child: Child
  readonly port: number
  /** Milliseconds from the start of the process to the first success of /readyz. */
  readonly readyMs: number
}

interface Start {
  /**
   * `start` runs everything in one process with an embedded PostgreSQL. `api` only serves requests.
   */
  program: 'start' | 'api'
  folder: string
  databaseUrl?: string
  nodeArgs?: readonly string[]
}

export const rootPassword = 'bench-root-password'
const readyTimeoutMs = 60_000

/**
 * Starts Berth as built. It differs from an installation only in the page cap and in the disabled
 * rate limit.
 */
export async function startProduct({
  program,
  folder,
  databaseUrl,
  nodeArgs = [],
}: Start): Promise<Product> {
  await mkdir(folder, { recursive: true })
  const config = join(folder, 'berth.yaml')
  await writeFile(
    config,
    'api: { pageCap: 10000, rateLimit: { requests: 0 } }\nlog: { level: warn }\nserver: { host: 127.0.0.1 }\n',
  )
  const port = await freePort()
  const started = performance.now()
  const env = {
    BERTH_CONFIG: config,
    BERTH_DATA_DIR: join(folder, 'data'),
    BERTH_ROOT_PASSWORD: rootPassword,
    BERTH_PORT: String(port),
  }
  const child = await startChild({
    program: join(root, 'server', 'dist', `${program}.js`),
    nodeArgs,
    env: databaseUrl ? { ...env, BERTH_DATABASE_URL: databaseUrl } : env,
    reportsReady: false,
  })
  await ready(port, child)
  return {
    child,
    port,
    readyMs: performance.now() - started,
    [Symbol.asyncDispose]: () => child.stop(),
  }
}

async function ready(port: number, child: Child): Promise<void> {
  const late = AbortSignal.timeout(readyTimeoutMs)
  while (!late.aborted) {
    // This call throws with the output of the process when the process has ended.
    await child.cost()
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.ok) return
    await pause(5)
  }
  throw new Error(`Berth was not ready within ${readyTimeoutMs} ms`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The address of a TCP server is an AddressInfo.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Returns a token of root. */
export async function login(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'root', password: rootPassword }),
  })
  // A refusal has no token.
  const { token } = (await answer.json()) as { token?: string }
  if (!token) throw new Error(`no token: ${answer.status}`)
  return token
}
