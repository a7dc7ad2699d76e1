import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Feed, startFeed } from './changes/feed.ts'
import { connectCluster } from './cluster/kubevirt/cluster.ts'
import { startSandboxProcess } from './cluster/embedded-sandbox.ts'
import { apolloOn } from './edge/apollo.ts'
import { consoleFrom } from './edge/console.ts'
import { type Site, consoleDoor, graphDoor, healthDoor, openApiDoor, restDoor } from './edge/doors.ts'
import { buildBerthSchema } from './edge/graphql/schema.ts'
import { type Door, listenerOn } from './edge/http.ts'
import { tenantSource } from './reconcile/keys.ts'
import { startLeaderTask } from './reconcile/leader.ts'
import { oidcDoor } from './edge/oidc-door.ts'
import { oidcOn } from './edge/oidc.ts'
import { refreshCookieFrom } from './edge/refresh-cookie.ts'
import { sessionDoor } from './edge/session-door.ts'
import { accessTokensFrom } from './edge/token.ts'
import { type Viewers, viewersOn } from './edge/viewer.ts'
import { startReconcileLoop } from './reconcile/loop.ts'
import { sweepUntilStopped } from './reconcile/retention.ts'
import { ringFromSources } from './reconcile/sources.ts'
import { tenantReconciler } from './reconcile/tenant.ts'
import { systemClock } from './runtime/clock.ts'
import { type Config } from './runtime/config.ts'
import { newId } from './runtime/ids.ts'
import { type Log } from './runtime/log.ts'
import { type Metrics, createMetrics } from './runtime/metrics.ts'
import { places } from './runtime/places.ts'
import { type Progress } from './runtime/progress.ts'
import { sealFromSecret } from './runtime/seal.ts'
import { type Secret } from './runtime/secret.ts'
import { signingSecret } from './runtime/signing-secret.ts'
import { type Stop } from './runtime/stop.ts'
import { sweepChangeLog } from './store/change-log.ts'
import { startEmbeddedPostgres } from './store/embedded.ts'
import { sweepIdempotencyKeys } from './store/idempotency.ts'
import { type Leadership, type Term, openLeadership } from './store/leadership.ts'
import { loginThrottleOn } from './store/login-throttle.ts'
import { migrate } from './store/migrate.ts'
import { type Database, openDatabase, openWorkerPool, workerConnection } from './store/orm.ts'
import { seedIdentity } from './store/seed-identity.ts'
import { seedServiceOfferings } from './store/seed-service-offering.ts'
import { credentialUpkeepOn } from './store/session-rotation.ts'
import { type Store, storeOn } from './store/store.ts'
import { ring } from './store/work-ring.ts'
import { openWork } from './store/work.ts'
import { type Berth } from './usecases/berth.ts'
import { type Identity } from './usecases/identity/identity.ts'

export interface Starting {
  config: Config
  log: Log
  stop: Stop
  progress: Progress
  parts: { api: boolean; worker: boolean; sandbox: boolean; postgres: boolean }
}

export interface Started {
  url: string
  firstRootPassword: Secret | null
}

export const version = '0.1.0'
const clock = systemClock

/** Builds everything by hand, in the order in which things need each other; what is opened is registered to be closed. */
export async function startBerth(starting: Starting): Promise<Started> {
  const { config, log, stop, progress, parts } = starting
  const metrics = createMetrics()
  const secret = signingSecret(config.security.secret, config.data.dir)
  const sandbox = parts.sandbox ? progress.step('Starting the sandbox cluster', () => openSandbox(starting)) : null
  // Awaited further down: until then a failure must not count as unhandled.
  sandbox?.catch(() => undefined)
  const url = await databaseUrl(starting)
  await progress.step('Preparing the database', () => migrate(url, log))
  const database = await openDatabase({ url, log })
  stop.onStop('database', () => database.close())
  const store = storeOn({ database, clock, seal: sealFromSecret(secret, 'answers') })
  const { generatedRootPassword } = await seedIdentity(store, { rootPassword: config.security.rootPassword, log })
  await seedServiceOfferings(database.pool)
  const ears = await openFeed({ url, log, stop, metrics })
  const kubeconfig = await sandbox
  if (parts.worker) startWorker(starting, { store, ears, kubeconfig, metrics })
  const address = parts.api ? await progress.step('Opening the doors', () => startApi(starting, { store, database, feed: ears.feed, metrics, secret })) : ''
  return { url: address, firstRootPassword: generatedRootPassword }
}

async function openSandbox({ config, log, stop }: Starting): Promise<string> {
  const sandbox = await startSandboxProcess({ entry: places.sandboxEntry, folder: join(config.data.dir, 'sandbox'), clock, log })
  stop.onStop('sandbox', () => sandbox.stop())
  return sandbox.kubeconfig
}

async function databaseUrl({ config, log, stop, progress, parts }: Starting): Promise<string> {
  if (config.database.url) return config.database.url.reveal()
  if (!parts.postgres) throw new TypeError('without an embedded PostgreSQL a database URL is needed')
  const start = () => startEmbeddedPostgres({ dataDir: join(config.data.dir, 'postgres'), log, clock })
  const postgres = await progress.step('Starting PostgreSQL', start)
  stop.onStop('PostgreSQL', () => postgres.stop(), 15_000)
  return postgres.connectionUrl
}

interface Ears {
  feed: Feed
  pool: ReturnType<typeof openWorkerPool>
}

async function openFeed({ url, log, stop, metrics }: { url: string; log: Log; stop: Stop; metrics: Metrics }): Promise<Ears> {
  const pool = openWorkerPool(url, log)
  stop.onStop('worker connections', () => pool.end())
  const feed = await startFeed({ pool, connection: workerConnection(url), clock, log })
  stop.onStop('changes', () => feed.stop())
  metrics.gauge('berth_change_lag_seconds', 'How long committed changes are held back by an older transaction.', () => feed.lagMs() / 1000)
  return { feed, pool }
}

interface WorkerParts {
  store: Store
  ears: Ears
  kubeconfig: string | null
  metrics: Metrics
}

function startWorker({ config, log, stop }: Starting, { store, ears: { feed, pool }, kubeconfig, metrics }: WorkerParts): void {
  const holder = `${hostname()}-${process.pid}-${newId().slice(0, 8)}`
  const fenced = metrics.counter('berth_fenced_writes_total', 'Writes of lost leases that were turned away.')
  const work = openWork({ pool, owner: holder, onFenced: () => fenced.add() })
  const address = kubeconfig ? { kind: 'sandbox' as const, kubeconfig } : { ...config.cluster, kind: externalKind(config) }
  const cluster = connectCluster(address, { clock, log })
  stop.onStop('cluster', () => cluster.close())
  const loop = startReconcileLoop({ work, clock, log, reconcilers: { tenant: tenantReconciler({ store, work, cluster }) } })
  stop.onStop('work', () => loop.stop(), 15_000)
  stop.onStop('work bell', feed.onRing(() => loop.wake()))
  startLeaderTasks({ store, feed, pool, log, stop, holder })
}

function externalKind({ cluster }: Config): 'kubeconfig' | 'inCluster' {
  return cluster.kind === 'inCluster' ? 'inCluster' : 'kubeconfig'
}

interface LeaderParts {
  store: Store
  feed: Feed
  pool: Ears['pool']
  log: Log
  stop: Stop
  holder: string
}

/** What one replica does for all: hints and full passes, and forgetting what is old. */
function startLeaderTasks({ store, feed, pool, log, stop, holder }: LeaderParts): void {
  const leadership = openLeadership({ pool })
  const office = { leadership, holder, clock, log }
  const sources = [tenantSource({ list: (after) => store.tenantIds(after) })]
  const hints = startLeaderTask({ ...office, name: 'sources', run: (_term, signal) => ringFromSources({ hub: feed.hub, sources, ring: (keys) => ring(pool, keys), clock, log }, signal) })
  const retention = startLeaderTask({ ...office, name: 'retention', run: (term, signal) => forget(leadership, term, signal) })
  stop.onStop('leader tasks', async () => void (await Promise.all([hints.stop(), retention.stop()])))
}

const day = 24 * 60 * 60_000

function forget(leadership: Leadership, term: Term, signal: AbortSignal): Promise<void> {
  const sweep = (batch: number): Promise<number> =>
    leadership.asLeader(term, async (client) => {
      const changes = await sweepChangeLog(client, { olderThanMs: day, batch })
      const keys = await sweepIdempotencyKeys(client, { olderThanMs: day, batch })
      return Math.max(changes, keys)
    })
  return sweepUntilStopped({ sweep, clock }, signal)
}

interface ApiParts {
  store: Store
  database: Database
  feed: Feed
  metrics: Metrics
  secret: Secret
}

async function startApi({ config, log, stop }: Starting, { store, database, feed, metrics, secret }: ApiParts): Promise<string> {
  const schema = buildBerthSchema()
  const berth = berthOn(config, store)
  const { identity, viewers, identityDoors } = identityOn({ config, log, secret, berth, pool: database.pool })
  const unheard = dropOnChanges(feed, viewers)
  stop.onStop('viewers', unheard)
  const site: Site = { berth, identity, hub: feed.hub, identify: viewers, pageCap: config.api.pageCap }
  const apollo = apolloOn({ schema, log, introspection: config.security.introspection, pageCap: config.api.pageCap })
  await apollo.start()
  stop.onStop('GraphQL', () => apollo.stop())
  const notReady = () => store.ping().then(() => (stop.signal.aborted ? 'stopping' : null), () => 'the database does not answer')
  const health = healthDoor({ notReady, metrics: async () => ({ type: metrics.contentType, text: await metrics.text() }) })
  const page = await consoleFrom(places.console)
  const doors: Door[] = [graphDoor(apollo, site), openApiDoor(version), restDoor(schema, site), ...identityDoors, health, consoleDoor(page)]
  const requests = metrics.histogram('berth_http_request_seconds', 'Time to answer.', { labels: ['method', 'status'] })
  const observe = ({ method, status, durationMs }: { method: string; status: number; durationMs: number }) => requests.observe(durationMs / 1000, { method, status })
  const listener = listenerOn({ doors, log, trustProxy: config.server.trustProxy, secure: config.server.publicUrl.startsWith('https:'), leaving: () => stop.signal.aborted, observe, elapsedMs: clock.elapsedMs })
  metrics.gauge('berth_database_connections', 'Connections of the application pool.', () => database.pool.totalCount)
  return listen(config, await serverFor(config, listener), stop)
}

interface IdentityParts {
  config: Config
  log: Log
  secret: Secret
  berth: Berth
  pool: Database['pool']
}

function identityOn({ config, log, secret, berth, pool }: IdentityParts) {
  const { publicUrl } = config.server
  const { oidc: provider, allowedOrigins, tokenTtlSeconds } = config.security
  const secure = publicUrl.startsWith('https:')
  const tokens = accessTokensFrom(secret, clock)
  const upkeep = credentialUpkeepOn(pool)
  const identity: Identity = { berth, upkeep, tokens, tokenTtlSeconds, throttle: loginThrottleOn(pool) }
  const cookie = refreshCookieFrom(secret, secure)
  const session = sessionDoor({ identity, cookie, publicUrl, allowedOrigins, oidc: provider && { displayName: provider.displayName } })
  const provided = provider ? [oidcDoor({ identity, cookie, secure, log, oidc: oidcOn({ config: provider, publicUrl, secret, clock }) })] : []
  return { identity, viewers: viewersOn({ identity, tokens, clock }), identityDoors: [session, ...provided] }
}

/** What is remembered of callers is forgotten the moment that a change of them is heard. */
function dropOnChanges({ hub }: Feed, viewers: Viewers): () => void {
  const heard = hub.subscribe({ scope: 'platform', kinds: ['user', 'role', 'api_key', 'tenant'] })
  const listen = async (): Promise<void> => {
    for await (const delivery of heard) {
      if (delivery.gap) viewers.invalidate()
      else viewers.invalidate(delivery.change.kind, delivery.change.objectId)
    }
  }
  void listen()
  return () => heard.close()
}

function berthOn(config: Config, store: Store): Berth {
  return {
    platform: {
      name: 'Berth',
      version,
      publicNetworkEnabled: config.platform.networking.public.enabled,
      oidcEnabled: config.security.oidc !== null,
      cluster: config.cluster.kind,
    },
    reads: (scope) => store.reads(scope),
    write: (call, act) => store.write({ scope: call.scope, call, idempotency: call.idempotency }, act),
    async refused(call, code) {
      const target = { tenantId: call.viewer.tenantId, kind: null, id: null, name: null }
      const outcome = code === 'internal' ? 'failed' : 'refused'
      await store.recordRefusal(call, target, { outcome, code })
    },
  }
}

async function serverFor({ server: { tls } }: Config, listener: Parameters<typeof createHttpServer>[1]): Promise<Server> {
  const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 }
  if (!tls) return createHttpServer(limits, listener)
  const [cert, key] = await Promise.all([readFile(tls.cert), readFile(tls.key)])
  return createHttpsServer({ ...limits, cert, key, minVersion: 'TLSv1.2' }, listener)
}

function listen({ server: { host, port, publicUrl } }: Config, server: Server, stop: Stop): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      stop.onStop('HTTP', () => closeServer(server), 15_000)
      resolve(publicUrl)
    })
  })
}

/** Answers what was accepted; idle connections close at once. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}
