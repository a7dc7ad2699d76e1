import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startBerth } from '../../../server/src/compose.ts'
import { type Clock, systemClock } from '../../../server/src/runtime/clock.ts'
import { type Config, loadConfig } from '../../../server/src/runtime/config/config.ts'
import { createLog } from '../../../server/src/runtime/log.ts'
import { createStop } from '../../../server/src/runtime/stop.ts'
import { closeAfterFile } from './after-file.ts'
import { brokenRules } from './invariants.ts'
import { type TestDatabase, aDatabase } from '../postgres/database.ts'
import { sandboxProgram } from '../sandbox/program.ts'
import { type KubeClient, kubeClientOf } from '../sandbox/sandbox.ts'
import { waitFor } from '../wait-for.ts'
import { type Client, Wire, freePort } from '../clients/http-client.ts'
import { type Json } from '../json.ts'
import { databaseDriver } from '../postgres/database-driver.ts'

export const rootPassword = 'root of the whole world'
export const adminPassword = 'admin of one tenant'

/** A tenant that a test created, with clients of its users. */
export interface WorldTenant {
  id: string
  slug: string
  namespace: string
  admin: Client
  /** Creates a user of the tenant with this system role. */
  as(role: 'admin' | 'operator' | 'viewer'): Promise<Client>
}

/** A whole Berth with its sandbox and database, for the tests of one file. */
export interface World {
  readonly url: string
  readonly config: Config
  readonly database: TestDatabase
  readonly cluster: KubeClient
  readonly wire: Wire
  /** The lines that Berth has logged. */
  readonly logged: string[]
  readonly root: Client
  readonly anonymous: Client
  /** Creates a tenant and waits until it is active. */
  tenant(slug?: string): Promise<WorldTenant>
  login(username: string, password: string): Promise<Client>
  /** Waits until the operation of this kind on the object has ended, and returns it. */
  ended(kind: string, targetId: string): Promise<Json>
  hasNamespace(name: string): Promise<boolean>
  /** Waits until all VPCs and networks are created, so that nothing runs in the background. */
  networksOpen(): Promise<void>
  stop(): Promise<void>
}

export interface WorldOptions {
  /** The database URL for Berth, e.g. of a proxy. Tests read the database directly. */
  databaseUrl?: (url: string) => string | Promise<string>
  worker?: boolean
  config?: (config: Config) => void
  /** The clock of Berth, which a test may advance. */
  clock?: Clock
  /** Skips the invariants at the end, because the test creates an impossible state. */
  isBroken?: boolean
}

/** Returns a name that no other test uses. */
export const unique = (stem: string): string => `${stem}-${randomBytes(5).toString('hex')}`

/**
 * Starts a whole Berth in this process with HTTP, GraphQL and a worker. It has a sandbox process
 * and a database of its own, and stops after the file.
 */
export async function aWorld(options: WorldOptions = {}): Promise<World> {
  const before = openResources()
  const database = await aDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'berth-world-'))
  const logged: string[] = []
  const log = createLog('debug', { write: (line) => logged.push(line) })
  const config = await configFor({ database, dataDir, options })
  const { clock = systemClock } = options
  const stop = createStop({ log, clock })
  const starting: Parameters<typeof startBerth>[0] = {
    config,
    clock,
    log,
    stop,
    progress: { step: (_what, task) => task() },
    parts: { api: true, worker: options.worker ?? true, sandbox: sandboxProgram },
  }
  const { url } = await startBerth(starting)
  const wire = new Wire(() => url)
  const cluster = await kubeClientOf(join(dataDir, 'sandbox', 'kubeconfig'))
  let stopped = false
  const close = async (): Promise<void> => {
    if (stopped) return
    stopped = true
    const broken = options.isBroken ? [] : await brokenAtRest({ database, cluster })
    wire.close()
    cluster.close()
    await stop.now('the test is over')
    rmSync(dataDir, { recursive: true, force: true })
    await database.drop()
    await waitFor(() => excess(before).length === 0, { what: 'everything to be closed' }).catch(
      () => undefined,
    )
    expect(excess(before), 'resources left open after the world stopped').toEqual([])
    expect(broken, 'broken invariants at the end of the world').toEqual([])
  }
  closeAfterFile(close)
  return { ...(await worldOf({ url, config, database, cluster, wire, logged })), stop: close }
}

/** Returns the broken invariants. Waits a few seconds for remaining work. */
async function brokenAtRest(world: Pick<World, 'database' | 'cluster'>): Promise<string[]> {
  let broken: string[] = []
  const isWhole = async (): Promise<boolean> => (broken = await brokenRules(world)).length === 0
  await waitFor(isWhole, { timeoutMs: 2_000, everyMs: 200, what: 'all invariants to hold' }).catch(
    () => undefined,
  )
  return broken
}

interface ConfigParts {
  database: TestDatabase
  dataDir: string
  options: WorldOptions
}

async function configFor({ database, dataDir, options }: ConfigParts): Promise<Config> {
  const url = (await options.databaseUrl?.(database.url)) ?? database.url
  const env = {
    BERTH_DATABASE_URL: url,
    BERTH_DATA_DIR: dataDir,
    BERTH_ROOT_PASSWORD: rootPassword,
    BERTH_PORT: String(await freePort()),
  }
  const config = loadConfig({ cwd: dataDir, env })
  // Tests poll often, so they run without a rate limit.
  config.api.rateLimit = null
  config.database.driver = databaseDriver
  options.config?.(config)
  return config
}

type Parts = Pick<World, 'url' | 'config' | 'database' | 'cluster' | 'wire' | 'logged'>

const openTransactions = `
select pid, state, wait_event_type, wait_event, now() - xact_start as age, left(query, 120) as query
from pg_stat_activity where xact_start is not null and datname = current_database() and pid <> pg_backend_pid()`

async function worldOf(parts: Parts): Promise<Omit<World, 'stop'>> {
  const { wire, cluster, database, logged } = parts
  const anonymous = wire.client('')
  const login = async (username: string, password: string): Promise<Client> => {
    const answer = await anonymous.rest('POST', '/auth/login', { body: { username, password } })
    if (answer.status !== 200) {
      const open = await database.sql(openTransactions)
      throw new Error(
        `${username} cannot log in: ${answer.text}\n${logged.slice(-2).join('')}\n${JSON.stringify(open)}`,
      )
    }
    return wire.client(answer.body.token)
  }
  const root = await login('root', rootPassword)
  const ended = async (kind: string, targetId: string): Promise<Json> => {
    let found: Json
    const query = `select * from operation where kind = '${kind}' and target_id = '${targetId}'
      order by finished_at is null, created_at desc limit 1`
    const isOver = async (): Promise<boolean> => {
      ;[found] = await database.sql(query)
      return Boolean(found?.['finished_at'])
    }
    await waitFor(isOver, {
      timeoutMs: 20_000,
      what: () => `${kind} to end, which was last ${JSON.stringify(found)}`,
      progress: () => JSON.stringify(found) ?? '',
    })
    return found
  }
  const networksOpen = async (): Promise<void> => {
    const query = `select id from vpc where gone_at is null and state = 'creating' union all select id from network where gone_at is null and state = 'creating'`
    await waitFor(async () => (await database.sql(query)).length === 0, {
      timeoutMs: 10_000,
      what: 'all networks to open',
    })
  }
  return {
    ...parts,
    root,
    anonymous,
    login,
    ended,
    networksOpen,
    tenant: (slug = unique('t')) => openTenant({ root, login, ended, networksOpen }, slug),
    hasNamespace: async (name) => (await cluster.call(`/api/v1/namespaces/${name}`)).status === 200,
  }
}

type Opening = Pick<World, 'root' | 'login' | 'ended' | 'networksOpen'>

async function openTenant(
  { root, login, ended, networksOpen }: Opening,
  slug: string,
): Promise<WorldTenant> {
  const made = await root.rest('POST', '/tenants', {
    body: { name: slug, slug, admin_password: adminPassword },
  })
  if (made.status !== 201) throw new Error(`no tenant ${slug}: ${made.text}`)
  const { id, namespace } = made.body.tenant
  const { state } = await ended('create_tenant', id)
  if (state !== 'succeeded') throw new Error(`create_tenant of ${slug} is ${state}`)
  await networksOpen()
  const admin = await login(`${slug}-admin`, adminPassword)
  const as = async (role: string): Promise<Client> => {
    const username = unique(`${slug}-${role}`)
    const user = await admin.rest('POST', '/users', {
      body: { username, password: adminPassword, role_name: `tenant.${role}` },
    })
    if (user.status !== 201) throw new Error(`no user ${username}: ${user.text}`)
    return login(username, adminPassword)
  }
  return { id, slug, namespace, admin, as }
}

const watched = ['TCPServerWrap', 'TCPSocketWrap', 'ProcessWrap', 'PipeWrap', 'TLSWrap']

/** Counts the resources that keep the process alive, by kind. */
function openResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const name of process.getActiveResourcesInfo())
    if (watched.includes(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function excess(before: Map<string, number>): string[] {
  return [...openResources()]
    .filter(([name, count]) => count > (before.get(name) ?? 0))
    .map(([name, count]) => `${name} ${before.get(name) ?? 0} -> ${count}`)
}
