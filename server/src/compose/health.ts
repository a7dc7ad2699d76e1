import { type Capabilities } from '../cluster/capabilities/capabilities.ts'
import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { problemsIn } from '../cluster/capabilities/problems.ts'
import { type ClusterReader } from '../cluster/reader.ts'
import { type ChangeFeed } from '../engine/changes/feed.ts'
import { databaseTrouble } from '../engine/database/database-fault.ts'
import { type Health, healthHandler } from '../engine/http/health-handler.ts'
import { createRequestListener } from '../engine/http/http.ts'
import { type Clock } from '../runtime/clock.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { type Stop } from '../runtime/stop.ts'
import { type Store } from '../store/store.ts'
import { createServer, listen } from './http-server.ts'
import { type StartupContext } from './startup-context.ts'

interface HealthParts {
  clock: Clock
  stop: Stop
  store: Pick<Store, 'checkWrites'>
  feed: Pick<ChangeFeed, 'silentMs'>
  /** The cluster, for a process that needs it for all its work; null for one that serves reads. */
  cluster: WorkerCluster | null
  metrics: Metrics
}

interface WorkerCluster extends Pick<ClusterReader, 'checkAnswers'> {
  capabilities: Pick<FollowedCapabilities, 'current'>
}

/** Serves the health checks and the metrics of a process without the API. Returns its URL. */
export async function startHealthServer(
  { config, clock, log, stop }: Pick<StartupContext, 'config' | 'clock' | 'log' | 'stop'>,
  parts: Omit<HealthParts, 'clock' | 'stop'>,
): Promise<string> {
  const listener = createRequestListener({
    handlers: [
      healthHandler(healthOf({ clock, stop, ...parts }), config.security.metricsToken ?? 'all'),
    ],
    log,
    allowedOrigins: () => [],
    trustProxy: 0,
    secure: false,
    stopping: stop.signal,
    observe: () => undefined,
    elapsedMs: clock.elapsedMs,
  })
  const { host, workerPort } = config.server
  const server = await createServer(config, listener)
  const port = await listen(server, { host, port: workerPort, stop })
  return `${config.server.tls ? 'https' : 'http'}://${host}:${port}`
}

/** Callers need no login, so calls within this time share one result. */
const sharedMs = 1_000
/** The tail reads the log every second. */
const longestSilenceMs = 10_000
const clusterTimeoutMs = 3_000

/**
 * Checks what this process needs: a write to the database, the tail of the change log, and for a
 * worker the cluster with its components and the rights of Berth.
 */
export function healthOf({ clock, stop, store, feed, cluster, metrics }: HealthParts): Health {
  const missingPart = async (): Promise<string | null> => {
    const trouble = await store.checkWrites().then(() => null, databaseTrouble)
    if (trouble) return trouble
    if (feed.silentMs() > longestSilenceMs) return 'the change log cannot be read'
    return cluster ? troubleOf(cluster, clock) : null
  }
  let last = { atMs: -Infinity, result: Promise.resolve<string | null>(null) }
  return {
    notReady() {
      if (stop.leaving.aborted) return Promise.resolve('stopping')
      if (clock.elapsedMs() - last.atMs > sharedMs)
        last = { atMs: clock.elapsedMs(), result: missingPart() }
      return last.result
    },
    metrics: async () => ({ type: metrics.contentType, text: await metrics.text() }),
  }
}

async function troubleOf(
  cluster: NonNullable<HealthParts['cluster']>,
  clock: Clock,
): Promise<string | null> {
  const answered = new AbortController()
  const answers = cluster.checkAnswers().then(
    () => null,
    () => 'the cluster does not answer',
  )
  const late = clock
    .sleep(clusterTimeoutMs, answered.signal)
    .then(() => 'the cluster does not answer in time')
  const trouble = await Promise.race([answers, late])
  answered.abort()
  return trouble ?? lackIn(cluster.capabilities.current())
}

/** Returns what the cluster lacks; null when nothing is missing or it has not been read yet. */
function lackIn(found: Capabilities | null): string | null {
  const problems = found ? problemsIn(found) : []
  return problems.length === 0 ? null : problems.join('; ')
}
