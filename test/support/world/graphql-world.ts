import { allChangeKinds } from '../../../server/src/domain/nouns.ts'
import { randomUUID } from 'node:crypto'
import { type Server, createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import pg from 'pg'
import { type ChangeFeed, startChangeFeed } from '../../../server/src/engine/changes/feed.ts'
import { inAppRole } from '../../../server/src/engine/database/app-role.ts'
import { Fault } from '../../../server/src/engine/model/fault.ts'
import { messageOf } from '../../../server/src/engine/model/message.ts'
import { systemRoles } from '../../../server/src/domain/identity/permission.ts'
import { type Viewer, anonymous } from '../../../server/src/engine/model/viewer.ts'
import { apolloOn } from '../../../server/src/edge/apollo.ts'
import { graphqlHandler } from '../../../server/src/edge/graphql-handler.ts'
import { createRequestBudget } from '../../../server/src/engine/http/request-budget.ts'
import { type ServerContext } from '../../../server/src/edge/request-context.ts'
import { graphSocketOn } from '../../../server/src/edge/graphql-socket.ts'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { createRequestListener } from '../../../server/src/engine/http/http.ts'
import { type GraphSocket } from '../../../server/src/engine/sockets/graphql-socket.ts'
import { type SocketLimits } from '../../../server/src/engine/sockets/socket-limits.ts'
import { type Upgrades, createUpgrades } from '../../../server/src/engine/sockets/upgrade.ts'
import { systemClock } from '../../../server/src/runtime/clock.ts'
import { type Log, createLog } from '../../../server/src/runtime/log.ts'
import { createMetrics } from '../../../server/src/runtime/metrics/metrics.ts'
import { sealFromSecret } from '../../../server/src/runtime/seal.ts'
import { Secret } from '../../../server/src/runtime/config/secret.ts'
import { type Database } from '../../../server/src/engine/database/database.ts'
import { openDatabase } from '../../../server/src/store/database.ts'
import { credentialUpdatesOn } from '../../../server/src/store/identity/session-rotation.ts'
import { createLoginThrottle } from '../../../server/src/engine/auth/login-throttle.ts'
import { type Store, storeOn } from '../../../server/src/store/store.ts'
import { ConnectionLimiter } from '../../../server/src/engine/sockets/connection-limiter.ts'
import { type Berth, followersPerUser } from '../../../server/src/usecases/berth.ts'
import { eventsTicketsOn } from '../../../server/src/store/event/events-ticket.ts'
import { consoleAccessOn } from '../../../server/src/store/vm/vm-console.ts'
import { plainNetworking } from './default-networking.ts'
import { type TestDatabase, aDatabase } from '../postgres/database.ts'
import { platformOptions } from '../engine/world.ts'
import { type Json } from '../json.ts'
import { unlimited } from './quotas.ts'
import { databaseDriver } from '../postgres/database-driver.ts'

/** Berth's GraphQL interface with its database, without a cluster and without logins. */
export interface GraphWorld extends AsyncDisposable {
  readonly url: string
  readonly database: TestDatabase
  readonly feed: ChangeFeed
  readonly socket: GraphSocket
  readonly upgrades: Upgrades
  /** A pool with access to all tenants, for writes without a use case. */
  readonly pool: pg.Pool
  /** The viewer of each valid token. Deleting an entry revokes the token. */
  readonly viewers: Map<string, Viewer>
  /** The logged lines. */
  readonly logged: string[]
  /** Creates a tenant and a token of its administrator. */
  aTenant(): Promise<TestTenant>
  /** Creates another token with the same permissions. */
  anotherToken(token: string): string
  post(
    body: unknown,
    options?: { token?: string; headers?: Record<string, string> },
  ): Promise<Posted>
}

export interface TestTenant {
  readonly id: string
  readonly token: string
}

export interface Posted {
  status: number
  text: string
  // Tests read answers of any shape.
  json: { data?: Json; errors?: { message: string; extensions: Record<string, unknown> }[] }
}

interface WorldOptions {
  limits?: Partial<SocketLimits>
  introspection?: boolean
  allowedOrigins?: (host: string) => readonly string[]
}

export const root: Viewer = {
  ...anonymous,
  userId: randomUUID(),
  username: 'root',
  role: 'root',
  permissions: new Set(['*']),
  credential: 'token',
}

/**
 * Starts PostgreSQL, store, change feed, HTTP and GraphQL sockets, wired as in the product. Only
 * the authentication is replaced by a map of tokens.
 */
export async function aGraphWorld(options: WorldOptions = {}): Promise<GraphWorld> {
  const database = await aDatabase()
  const logged: string[] = []
  const log = createLog('info', { write: (line) => logged.push(line) })
  const pool = new pg.Pool({
    connectionString: database.url,
    options: platformOptions,
    max: 12,
    ...inAppRole,
  })
  pool.on('error', () => undefined)
  const feed = await startChangeFeed({
    kinds: allChangeKinds,
    pool,
    connection: { connectionString: database.url, options: platformOptions },
    clock: systemClock,
    log,
  })
  const store = await openDatabase({ url: database.url, log, driver: databaseDriver })
  const viewers = new Map([['root', root]])
  const server = await startServer({ options, log, feed, store, viewers })
  return {
    url: server.url,
    socket: server.socket,
    upgrades: server.upgrades,
    database,
    feed,
    pool,
    viewers,
    logged,
    async aTenant() {
      const id = randomUUID()
      await pool.query('insert into tenant (id, name, slug, namespace) values ($1, $2, $2, $2)', [
        id,
        `t-${id.slice(0, 8)}`,
      ])
      const token = `token-${id}`
      viewers.set(token, adminOf(id))
      return { id, token }
    },
    anotherToken(token) {
      const other = randomUUID()
      viewers.set(other, { ...(viewers.get(token) ?? anonymous), userId: randomUUID() })
      return other
    },
    post: (body, { token = 'root', headers = {} } = {}) =>
      post(server.url, body, { authorization: `Bearer ${token}`, ...headers }),
    async [Symbol.asyncDispose]() {
      await server.close()
      await feed.stop()
      await store.close()
      await pool.end()
      await database.drop()
    },
  }
}

export function adminOf(tenantId: string): Viewer {
  const permissions = new Set<string>(systemRoles['tenant.admin'].permissions)
  return {
    ...anonymous,
    userId: randomUUID(),
    username: 'admin',
    role: 'tenant_admin',
    tenantId,
    homeTenantId: tenantId,
    permissions,
    credential: 'token',
  }
}

interface GraphServer {
  url: string
  socket: GraphSocket
  upgrades: Upgrades
  close(): Promise<void>
}

interface ServerParts {
  options: WorldOptions
  log: Log
  feed: ChangeFeed
  store: Database
  viewers: Map<string, Viewer>
}

async function startServer({
  options,
  log,
  feed,
  store: database,
  viewers,
}: ServerParts): Promise<GraphServer> {
  const {
    introspection = false,
    limits = {},
    allowedOrigins = (host: string) => [`http://${host}`, `https://${host}`],
  } = options
  const schema = buildBerthSchema()
  const store = storeOn({
    database,
    clock: systemClock,
    seal: sealFromSecret(new Secret('x'.repeat(32)), 'answers'),
  })
  const berth = berthOf(store, database)
  const identity = {
    berth,
    credentials: credentialUpdatesOn(database.pool),
    throttle: createLoginThrottle(database.pool),
    tokens: { sign: () => Promise.resolve('') },
    tokenTtlSeconds: 60,
  }
  const context: ServerContext = {
    berth,
    identity,
    hub: feed.hub,
    identify: { viewerOf: (headers) => viewerIn(viewers, headers.authorization) },
    pageCap: 200,
    budget: createRequestBudget(null, systemClock),
    clock: systemClock,
    log,
    leaving: () => false,
  }
  const graph = { schema, log, introspection, pageCap: context.pageCap }
  const apollo = {
    users: apolloOn({ ...graph, audience: 'users' }),
    strangers: apolloOn({ ...graph, introspection: false, audience: 'strangers' }),
  }
  await apollo.users.start()
  await apollo.strangers.start()
  const http = {
    handlers: [graphqlHandler(apollo, context)],
    log,
    allowedOrigins,
    trustProxy: 0,
    secure: false,
    stopping: new AbortController().signal,
    observe: () => undefined,
    elapsedMs: systemClock.elapsedMs,
  }
  const server = createServer(createRequestListener(http))
  const upgrades = createUpgrades({ server, allowedOrigins, log })
  const socket = graphSocketOn({
    schema,
    server: context,
    upgrades,
    introspection,
    trustProxy: 0,
    clock: systemClock,
    log,
    metrics: createMetrics({ withProcess: false }),
    // On a busy machine a client may read the close frame late.
    limits: { closeMs: 10_000, ...limits },
  })
  const close = async (): Promise<void> => {
    await socket.stop()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await apollo.users.stop()
    await apollo.strangers.stop()
  }
  return { url: await listening(server), socket, upgrades, close }
}

function listening(server: Server): Promise<string> {
  return new Promise((resolve) => {
    // A server on TCP has an address of this form.
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    )
  })
}

function viewerIn(
  viewers: ReadonlyMap<string, Viewer>,
  authorization: string | undefined,
): Promise<Viewer> {
  if (authorization === undefined) return Promise.resolve(anonymous)
  const viewer = viewers.get(authorization.replace('Bearer ', ''))
  return viewer
    ? Promise.resolve(viewer)
    : Promise.reject(new Fault('unauthenticated', messageOf('access.token_ended')))
}

function berthOf(store: Store, database: Database): Berth {
  const none = (): Promise<never> =>
    Promise.reject(new Fault('cluster_unavailable', messageOf('capability.untold_now')))
  return {
    storageClasses: () => null,
    clusterProblems: () => [],
    clusterFeatures: () => null,
    publicUrl: 'http://localhost',
    streams: { openConsole: none, openScreen: none, followGuestLog: none, readGuestLog: none },
    logFollowers: new ConnectionLimiter({
      socketsPerUser: followersPerUser,
      socketsPerTenant: Infinity,
    }),
    consoles: consoleAccessOn(database.pool),
    eventsTickets: eventsTicketsOn(database.pool),
    bootLogs: store.bootLogs,
    platform: {
      name: 'Berth',
      version: 'test',
      publicNetworkEnabled: false,
      oidcEnabled: false,
      servesVirtfoundry: false,
      apiKeyMaxDays: null,
      cluster: 'sandbox',
    },
    importRules: {
      allowHttp: true,
      allowPrivate: true,
      allowedHosts: [],
      allowedRegistries: [],
      imagePullPolicy: 'Always',
    },
    networking: plainNetworking,
    quotaDefaults: unlimited,
    secondFactorPolicy: 'optional',
    reads: (scope) => store.reads(scope),
    write: (call, act) =>
      store.write({ scope: call.scope, call, idempotency: call.idempotency }, act),
    refused: (call, code) =>
      store.recordRefusal(
        call,
        { tenantId: call.viewer.tenantId, kind: null, id: null, name: null },
        { outcome: 'refused', code },
      ),
  }
}

async function post(url: string, body: unknown, headers: Record<string, string>): Promise<Posted> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
    signal: AbortSignal.timeout(60_000),
  })
  const received = await answer.text()
  return {
    status: answer.status,
    text: received,
    json: received.startsWith('{') ? JSON.parse(received) : {},
  }
}
