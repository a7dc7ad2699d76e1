import { hostname } from 'node:os'
import { type Feed } from '../changes/feed.ts'
import { followCapabilities } from '../cluster/follow-capabilities.ts'
import { type Cluster } from '../cluster/kubevirt/cluster.ts'
import { templateSource, tenantSource } from '../reconcile/keys.ts'
import { startLeaderTask } from '../reconcile/leader.ts'
import { startReconcileLoop } from '../reconcile/loop.ts'
import { sweepUntilStopped } from '../reconcile/retention.ts'
import { ringFromSources } from '../reconcile/sources.ts'
import { tenantReconciler } from '../reconcile/tenant.ts'
import { vmSource } from '../reconcile/vm-keys.ts'
import { keepLogs } from '../reconcile/vm-log-keeper.ts'
import { vmReconciler } from '../reconcile/vm.ts'
import { vmTemplateReconciler } from '../reconcile/vm-template.ts'
import { systemClock } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics.ts'
import { type Stop } from '../runtime/stop.ts'
import { sweepChangeLog } from '../store/change-log.ts'
import { sweepIdempotencyKeys } from '../store/idempotency.ts'
import { type Leadership, openLeadership, type Term } from '../store/leadership.ts'
import { type Store } from '../store/store.ts'
import { sweepLoginAttempts, sweepSessions } from '../store/session-sweep.ts'
import { sweepConsoleTickets } from '../store/vm-console.ts'
import { ring } from '../store/work-ring.ts'
import { type WorkKey } from '../store/work-lease.ts'
import { openWork } from '../store/work.ts'
import { openCluster } from './cluster.ts'
import { type Ears, type Starting } from './starting.ts'

const clock = systemClock

interface WorkerParts {
  store: Store
  ears: Ears
  kubeconfig: string | null
  metrics: Metrics
}

export function startWorker({ config, log, stop }: Starting, { store, ears: { feed, pool }, kubeconfig, metrics }: WorkerParts): void {
  const holder = `${hostname()}-${process.pid}-${newId().slice(0, 8)}`
  const fenced = metrics.counter('berth_fenced_writes_total', 'Writes of lost leases that were turned away.')
  const work = openWork({ pool, owner: holder, onFenced: () => fenced.add() })
  const calls = metrics.counter('berth_cluster_calls_total', 'Calls to the cluster, streams included.', ['method', 'kind'])
  const cluster = openCluster({ config, log, stop }, { kubeconfig, onCall: (call) => calls.add(call) })
  const logs = keepLogs({ cluster, bootLogs: store.bootLogs, clock, log })
  stop.onStop('boot logs', () => logs.stop())
  const capabilities = followCapabilities({ reader: cluster.reader, clock, log })
  stop.onStop('cluster capabilities', () => capabilities.stop())
  const { defaultClass } = config.platform.storage
  const reconcilers = {
    tenant: tenantReconciler({ store, work, cluster }),
    vm: vmReconciler({
      ...{ store, work, cluster: logs.cluster, defaultClass },
      settings: { driversImage: config.platform.windows.driversImage },
      keepsGuestState: () => capabilities.current()?.guestState.available ?? null,
    }),
    vm_template: vmTemplateReconciler({ store, work, cluster, defaultClass, allowPrivate: config.import.allowPrivate }),
  }
  const loop = startReconcileLoop({ work, clock, log, reconcilers })
  stop.onStop('work', () => loop.stop(), 15_000)
  stop.onStop(
    'work bell',
    feed.onRing(() => loop.wake()),
  )
  startLeaderTasks({ store, cluster, feed, pool, log, stop, holder, wake: () => loop.wake() })
}

interface LeaderParts {
  store: Store
  cluster: Cluster
  feed: Feed
  pool: Ears['pool']
  log: Log
  stop: Stop
  holder: string
  /** The loop of this replica; others hear of new work within a second. */
  wake: () => void
}

/** What one replica does for all: hints and full passes, and forgetting what is old. */
function startLeaderTasks({ store, cluster, feed, pool, log, stop, holder, wake }: LeaderParts): void {
  const leadership = openLeadership({ pool })
  const office = { leadership, holder, clock, log }
  const sources = [tenantSource(store), templateSource(store), vmSource(store)]
  const ringAndWake = async (keys: readonly WorkKey[]): Promise<void> => {
    await ring(pool, keys)
    wake()
  }
  const hints = startLeaderTask({
    ...office,
    name: 'sources',
    run: (_term, signal) => ringFromSources({ hub: feed.hub, sources, cluster, ring: ringAndWake, clock, log }, signal),
  })
  const retention = startLeaderTask({ ...office, name: 'retention', run: (term, signal) => forget(leadership, term, signal) })
  stop.onStop('leader tasks', async () => void (await Promise.all([hints.stop(), retention.stop()])))
}

const day = 24 * 60 * 60_000

function forget(leadership: Leadership, term: Term, signal: AbortSignal): Promise<void> {
  const sweep = (batch: number): Promise<number> =>
    leadership.asLeader(term, async (client) => {
      const changes = await sweepChangeLog(client, { olderThanMs: day, batch })
      const keys = await sweepIdempotencyKeys(client, { olderThanMs: day, batch })
      const sessions = await sweepSessions(client, { olderThanMs: 30 * day, batch })
      const attempts = await sweepLoginAttempts(client, { olderThanMs: day / 24, batch })
      const tickets = await sweepConsoleTickets(client, { batch })
      return Math.max(changes, keys, sessions, attempts, tickets)
    })
  return sweepUntilStopped({ sweep, clock }, signal)
}
