import { restRoutes } from './nouns.ts'
import { type RequestListener, type Server } from 'node:http'
import { type ChangeFeed } from '../engine/changes/feed.ts'
import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { storageClassesOf } from '../cluster/capabilities/storage-classes.ts'
import { clusterFeaturesOf } from '../cluster/capabilities/cluster-features.ts'
import { problemsIn } from '../cluster/capabilities/problems.ts'
import { type MissingRights } from '../engine/kube/missing-rights.ts'
import { type ClusterStreams } from '../engine/kube/streams/streams.ts'
import { apolloOn } from '../edge/apollo.ts'
import { statusOf } from '../engine/http/faults.ts'
import { consoleHandler } from '../edge/console-handler.ts'
import { type EventFeed, eventFeedOn } from '../edge/events/event-feed.ts'
import { anonymousEventsOn } from '../edge/events/anonymous-events.ts'
import { eventSocketOn } from '../edge/events/event-socket.ts'
import { queryRunner, graphqlHandler } from '../edge/graphql-handler.ts'
import { graphSocketOn } from '../edge/graphql-socket.ts'
import { anonymous } from '../engine/model/viewer.ts'
import { buildBerthSchema } from './schema.ts'
import { healthHandler } from '../engine/http/health-handler.ts'
import { type Handler, createRequestListener } from '../engine/http/http.ts'
import { openApiHandler, restHandler } from '../edge/rest-handler.ts'
import { originsOn } from '../engine/http/origins.ts'
import { createRequestBudget } from '../engine/http/request-budget.ts'
import { type SignIn, signInOn } from '../edge/session/sign-in.ts'
import { type ServerContext } from '../edge/request-context.ts'
import { vmConsoleSocketOn } from '../edge/vm-console-socket.ts'
import { type SocketHeartbeat } from '../engine/sockets/heartbeat.ts'
import { socketLimits } from '../engine/sockets/socket-limits.ts'
import { createUpgrades } from '../engine/sockets/upgrade.ts'
import { type WatchedStreams, watchStreams } from '../engine/sockets/watched-streams.ts'
import { limitsFrom } from '../domain/tenant/quota.ts'
import { type NetworkSettings } from '../domain/network/network-settings.ts'
import { type Config } from '../runtime/config/config.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { installationPaths } from '../runtime/paths.ts'
import { type Secret } from '../runtime/config/secret.ts'
import { eventsTicketsOn } from '../store/event/events-ticket.ts'
import { createLoginThrottle } from '../engine/auth/login-throttle.ts'
import { type Database } from '../engine/database/database.ts'
import { credentialUpdatesOn } from '../store/identity/session-rotation.ts'
import { type Store } from '../store/store.ts'
import { consoleAccessOn } from '../store/vm/vm-console.ts'
import { ConnectionLimiter } from '../engine/sockets/connection-limiter.ts'
import { type Berth, type Call, followersPerUser } from '../usecases/berth.ts'
import { openCluster } from './cluster.ts'
import { healthOf } from './health.ts'
import { createServer, listen } from './http-server.ts'
import { apiMetricsAccess } from './metrics-access.ts'
import { berthRestDocument } from './rest-document.ts'
import { type StartupContext, version } from './startup-context.ts'

interface ApiParts {
  store: Store
  database: Database
  feed: ChangeFeed
  metrics: Metrics
  secret: Secret
  /** The kubeconfig of the sandbox. Null when there is no sandbox. */
  kubeconfig: string | null
  /** The missing rights of this process. */
  rights: MissingRights
  capabilities: FollowedCapabilities
  networking: NetworkSettings
}

/** Starts the API and returns its URL. */
export async function startApi(startup: StartupContext, parts: ApiParts): Promise<string> {
  const { config, clock, log, stop } = startup
  const { store, database, feed, metrics, secret, kubeconfig, rights } = parts
  const schema = buildBerthSchema()
  // The API has its own connection to the cluster: consoles and log readers must not use the call
  // budget of the reconcilers.
  const { streams } = openCluster(startup, { kubeconfig, rights })
  const berth = berthOn(startup, streams, parts)
  const access = {
    throttle: createLoginThrottle(database.pool),
    credentials: credentialUpdatesOn(database.pool),
  }
  const signIn = signInOn({ config, secret, clock, log, berth, ...access })
  const server: ServerContext = {
    budget: createRequestBudget(config.api.rateLimit, clock),
    berth,
    identity: signIn.identity,
    hub: feed.hub,
    identify: signIn.viewers,
    pageCap: config.api.pageCap,
    clock,
    log,
    leaving: () => stop.signal.aborted,
  }
  const events = eventFeedOn(schema)
  const watched = watchStreams({
    clock,
    log: log.with({ connection: 'stream' }),
    limits: socketLimits,
  })
  const handlers = await createHandlers(startup, {
    schema,
    server,
    events,
    signIn,
    store,
    feed,
    metrics,
    watched,
  })
  const httpServer = await createServer(config, listenerFor(startup, handlers, metrics))
  const sockets = [watched, ...socketsOn(startup, { httpServer, schema, server, events, metrics })]
  stop.onStop('viewers', dropOnChanges(feed, { signIn, sockets }))
  metrics.gauge(
    'berth_database_connections',
    'Connections of the application pool.',
    () => database.pool.totalCount,
  )
  metrics.gauge(
    'berth_waiting_writes',
    'Writes that wait until their tenant may use another connection.',
    () => database.writeSlots.waiting,
  )
  const { host, port, publicUrl } = config.server
  const listening = await listen(httpServer, { host, port, stop })
  stop.onStop('sockets', async () => void (await Promise.all(sockets.map((each) => each.stop()))))
  // Port 0 means any free port, which is known only now.
  return port === 0 ? publicUrl.replace(/:0$/, `:${listening}`) : publicUrl
}

interface HandlerParts {
  schema: ReturnType<typeof buildBerthSchema>
  server: ServerContext
  events: EventFeed
  signIn: SignIn
  store: Store
  feed: ChangeFeed
  metrics: Metrics
  watched: WatchedStreams
}

async function createHandlers(
  { config, clock, log, stop }: StartupContext,
  { schema, server, events, signIn, store, feed, metrics, watched }: HandlerParts,
): Promise<Handler[]> {
  const { introspection, publicIntrospection } = config.security
  const graph = { schema, log, pageCap: config.api.pageCap }
  const apollo = {
    users: apolloOn({ ...graph, introspection, audience: 'users' }),
    strangers: apolloOn({
      ...graph,
      introspection: introspection && publicIntrospection,
      audience: 'strangers',
    }),
  }
  for (const each of Object.values(apollo)) {
    await each.start()
    stop.onStop('GraphQL', () => each.stop())
  }
  const health = healthHandler(
    healthOf({ clock, stop, store, feed, metrics, cluster: null }),
    apiMetricsAccess(config),
  )
  const page = await consoleHandler({
    folder: installationPaths.console,
    hasSession: signIn.hasSession,
  })
  return [
    graphqlHandler(apollo, server),
    openApiHandler(berthRestDocument(schema)),
    restHandler(schema, { server, events, routes: restRoutes, streams: watched }),
    ...signIn.handlersFor({
      runQuery: queryRunner(apollo.users, server),
      charge: (http) => server.budget.charge(http, anonymous),
    }),
    health,
    page,
  ]
}

function listenerFor(
  { config, clock, log, stop }: StartupContext,
  handlers: readonly Handler[],
  metrics: Metrics,
): RequestListener {
  const requests = metrics.histogram('berth_http_request_seconds', 'Time to answer.', {
    labels: ['method', 'status'],
  })
  return createRequestListener({
    handlers,
    log,
    allowedOrigins: originsFor(config),
    trustProxy: config.server.trustProxy,
    secure: config.server.publicUrl.startsWith('https:'),
    stopping: stop.signal,
    observe: ({ method, status, durationMs }) =>
      requests.observe(durationMs / 1000, { method, status }),
    elapsedMs: clock.elapsedMs,
  })
}

interface Sockets {
  httpServer: Server
  schema: ReturnType<typeof buildBerthSchema>
  server: ServerContext
  events: EventFeed
  metrics: Metrics
}

function socketsOn(
  { config, clock, log }: StartupContext,
  { httpServer, schema, server, events, metrics }: Sockets,
) {
  const upgrades = createUpgrades({ server: httpServer, allowedOrigins: originsFor(config), log })
  const { introspection } = config.security
  const shared = {
    server,
    upgrades,
    trustProxy: config.server.trustProxy,
    clock,
    log,
    metrics,
  }
  const { socketTokenInUrl, virtfoundry } = config.compat
  const tokenInUrl = socketTokenInUrl || virtfoundry
  const anonymous = virtfoundry ? anonymousEventsOn(server.hub, clock) : null
  return [
    graphSocketOn({ ...shared, log: log.with({ connection: 'graphql' }), schema, introspection }),
    vmConsoleSocketOn({ ...shared, tokenInUrl }),
    eventSocketOn({
      ...shared,
      log: log.with({ connection: 'events' }),
      feed: events,
      tokenInUrl,
      anonymous,
    }),
  ]
}

const originsFor = ({ server, security }: Config) =>
  originsOn({ publicUrl: server.publicUrl, allowedOrigins: security.allowedOrigins })

/**
 * Evicts cached callers when their user, role, key or tenant changes, and rechecks all open
 * connections.
 */
function dropOnChanges(
  { hub }: ChangeFeed,
  { signIn: { viewers }, sockets }: { signIn: SignIn; sockets: readonly SocketHeartbeat[] },
): () => void {
  const changes = hub.subscribe({ scope: 'platform', kinds: ['user', 'role', 'api_key', 'tenant'] })
  const listen = async (): Promise<void> => {
    for await (const delivery of changes) {
      if (delivery.gap) viewers.invalidate()
      else viewers.invalidate(delivery.change.kind, delivery.change.objectId)
      await Promise.all(sockets.filter((each) => each.sockets() > 0).map((each) => each.recheck()))
    }
  }
  void listen()
  return () => changes.close()
}

function berthOn(
  { config, log }: StartupContext,
  streams: ClusterStreams,
  { store, database, networking, capabilities }: ApiParts,
): Berth {
  const callFields = ({ viewer, operation, requestId }: Call) => ({
    operation,
    requestId,
    actor: viewer.username,
    actsInTenantId: viewer.tenantId,
  })
  return {
    platform: {
      name: 'Berth',
      version,
      publicNetworkEnabled: config.platform.networking.public.enabled,
      oidcEnabled: config.security.oidc !== null,
      servesVirtfoundry: config.compat.virtfoundry,
      apiKeyMaxDays: config.security.apiKeyMaxDays,
      cluster: config.cluster.kind,
    },
    importRules: config.import,
    networking,
    quotaDefaults: limitsFrom(config.tenants.quota),
    ...clusterReportsOn(capabilities, config),
    secondFactorPolicy: config.security.secondFactor,
    publicUrl: config.server.publicUrl,
    streams,
    logFollowers: new ConnectionLimiter({
      socketsPerUser: followersPerUser,
      socketsPerTenant: Infinity,
    }),
    consoles: consoleAccessOn(database.pool),
    eventsTickets: eventsTicketsOn(database.pool),
    bootLogs: store.bootLogs,
    reads: (scope) => store.reads(scope),
    async write(call, act) {
      const result = await store.write(
        { scope: call.scope, call, idempotency: call.idempotency },
        act,
      )
      log.info('audit.call_allowed', callFields(call))
      return result
    },
    async refused(call, code) {
      const target = { tenantId: call.viewer.tenantId, kind: null, id: null, name: null }
      const outcome = statusOf[code] >= 500 ? 'failed' : 'refused'
      log.info(outcome === 'failed' ? 'audit.call_failed' : 'audit.call_refused', {
        ...callFields(call),
        code,
      })
      await store.recordRefusal(call, target, { outcome, code })
    },
  }
}

/** Answers questions about the cluster from the capabilities that were last read. */
function clusterReportsOn(
  capabilities: Pick<FollowedCapabilities, 'current'>,
  config: Config,
): Pick<Berth, 'storageClasses' | 'clusterProblems' | 'clusterFeatures'> {
  return {
    storageClasses: () => {
      const found = capabilities.current()
      return found && storageClassesOf(found, config.platform.storage)
    },
    clusterProblems: () => {
      const found = capabilities.current()
      return found ? problemsIn(found) : []
    },
    clusterFeatures: () => {
      const found = capabilities.current()
      return found && clusterFeaturesOf(found)
    },
  }
}
