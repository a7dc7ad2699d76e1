import { allChangeKinds } from './domain/nouns.ts'
import { join } from 'node:path'
import { startChangeFeed } from './engine/changes/feed.ts'
import {
  type FollowedCapabilities,
  followCapabilities,
} from './cluster/capabilities/follow-capabilities.ts'
import { startSandboxProcess } from './engine/kube/embedded-sandbox.ts'
import { type CapabilityReader } from './cluster/reader.ts'
import { startApi } from './compose/api.ts'
import { missingRightsOf, openCluster } from './compose/cluster.ts'
import { openStore } from './compose/database.ts'
import { startHealthServer } from './compose/health.ts'
import { type WorkerFeed, type StartupContext } from './compose/startup-context.ts'
import { networkingOf } from './compose/networking.ts'
import { refuseNodeUplink, publicNetworkStateOf } from './compose/public-network.ts'
import { startWorker } from './compose/worker.ts'
import { type Clock } from './runtime/clock.ts'
import { type Log } from './runtime/log.ts'
import { createMetrics, type Metrics } from './runtime/metrics/metrics.ts'
import { type Secret } from './runtime/config/secret.ts'
import { type Stop } from './runtime/stop.ts'
import { openWorkerPool, workerConnection } from './engine/database/database.ts'
import { seedIdentity } from './store/identity/seed-identity.ts'
import { seedServiceOfferings } from './store/service-offering/seed-service-offering.ts'
import { seedVmTemplates } from './store/vm-template/seed-vm-template.ts'
import { seedDefaultVpcs } from './usecases/vpc/seed-default-vpcs.ts'

export interface Started {
  url: string
  firstRootPassword: Secret | null
}

/**
 * Wires all parts in the order of their dependencies. Each opened part is registered to be closed.
 */
export async function startBerth(startup: StartupContext): Promise<Started> {
  const { config, clock, log, stop, progress, parts } = startup
  const metrics = createMetrics()
  const { sandbox: entry } = parts
  const sandbox = entry
    ? progress.step('Starting the sandbox cluster', () => openSandbox(startup, entry))
    : null
  // The promise is awaited below; until then, its failure must not count as unhandled.
  sandbox?.catch(() => undefined)
  const { url, secret, database, store } = await openStore(startup)
  const { generatedRootPassword } = await seedIdentity(store, {
    rootPassword: config.security.rootPassword,
    log,
  })
  await seedServiceOfferings(database.pool)
  await seedVmTemplates(database.pool)
  const changeFeed = await openFeed({
    url,
    clock,
    log,
    stop,
    metrics,
    poolSize: config.database.pool.background,
  })
  const kubeconfig = await sandbox
  const rights = missingRightsOf(startup)
  const { reader } = openCluster(startup, { kubeconfig, rights })
  await refuseNodeUplink(startup, reader)
  const capabilities = await openCapabilities(startup, reader)
  const networking = networkingOf(config, capabilities, publicNetworkStateOf(startup, reader))
  await seedDefaultVpcs(store, networking)
  const clusterParts = { kubeconfig, rights, capabilities, networking }
  if (parts.worker) startWorker(startup, { store, changeFeed, metrics, ...clusterParts })
  const address = parts.api
    ? await progress.step('Starting the API', () =>
        startApi(startup, {
          store,
          database,
          feed: changeFeed.feed,
          metrics,
          secret,
          ...clusterParts,
        }),
      )
    : await startHealthServer(startup, {
        store,
        feed: changeFeed.feed,
        metrics,
        cluster: { checkAnswers: () => reader.checkAnswers(), capabilities },
      })
  return { url: address, firstRootPassword: generatedRootPassword }
}

async function openSandbox(
  { config, clock, log, stop }: StartupContext,
  entry: string,
): Promise<string> {
  const folder = join(config.data.dir, 'sandbox')
  const sandbox = await startSandboxProcess({
    entry,
    folder,
    components: config.cluster.with,
    clock,
    log,
  })
  stop.onStop('sandbox', () => sandbox.stop())
  return sandbox.kubeconfig
}

/** The API also starts while the cluster is silent. */
const firstReadingMs = 10_000

/**
 * Follows the capabilities of the cluster for the worker and the API. The first reading ends before
 * the API starts. Requests that need the capabilities are refused until then, and clients such as
 * Terraform do not repeat them.
 */
async function openCapabilities(
  { clock, log, stop }: StartupContext,
  reader: CapabilityReader,
): Promise<FollowedCapabilities> {
  const capabilities = followCapabilities({ reader, clock, log })
  stop.onStop('cluster capabilities', () => capabilities.stop())
  const isRead = new AbortController()
  await Promise.race([capabilities.firstRead(), clock.sleep(firstReadingMs, isRead.signal)])
  isRead.abort()
  return capabilities
}

async function openFeed({
  url,
  clock,
  log,
  stop,
  metrics,
  poolSize,
}: {
  url: string
  clock: Clock
  log: Log
  stop: Stop
  metrics: Metrics
  poolSize: number
}): Promise<WorkerFeed> {
  const pool = openWorkerPool(url, log, poolSize)
  stop.onStop('worker connections', () => pool.end())
  const feed = await startChangeFeed({
    pool,
    connection: workerConnection(url),
    kinds: allChangeKinds,
    clock,
    log,
  })
  stop.onStop('changes', () => feed.stop())
  metrics.gauge(
    'berth_change_lag_seconds',
    'How long committed changes are held back by an older transaction.',
    () => feed.lagMs() / 1000,
  )
  return { feed, pool }
}
