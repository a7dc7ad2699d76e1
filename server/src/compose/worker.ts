import { hostname } from 'node:os'
import { type Feed } from '../engine/changes/feed.ts'
import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { storageClassesOf } from '../cluster/capabilities/storage-classes.ts'
import { type Cluster } from '../cluster/kubevirt-cluster.ts'
import { templateSource } from '../reconcile/vm-template/vm-template-keys.ts'
import { tenantSource } from '../reconcile/tenant/tenant-keys.ts'
import { attachmentPoliciesIn } from '../reconcile/cluster/attachment-policies.ts'
import { networkReconciler } from '../reconcile/network/network.ts'
import { networkSource, vpcSource } from '../reconcile/network/network-keys.ts'
import { startLeaderTask } from '../engine/reconcile/leader.ts'
import { keepApplied } from '../engine/reconcile/keep-applied.ts'
import { startReconcileLoop } from '../engine/reconcile/loop.ts'
import { sweepUntilStopped } from '../engine/reconcile/retention.ts'
import { followedKinds } from '../reconcile/followed-kinds.ts'
import { ringFromSources } from '../engine/reconcile/sources.ts'
import { securityGroupReconciler } from '../reconcile/security-group/security-group.ts'
import {
  type SnapshotTaking,
  snapshotScheduleReconciler,
  snapshotScheduleSource,
} from '../reconcile/snapshot-schedule/snapshot-schedule.ts'
import { tenantReconciler } from '../reconcile/tenant/tenant.ts'
import { vmGuardReconciler } from '../reconcile/vm-guard/vm-guard.ts'
import { vmGuardSource } from '../reconcile/vm-guard/vm-guard-keys.ts'
import { vmSshReconciler } from '../reconcile/vm-ssh/vm-ssh.ts'
import { vmSshSource } from '../reconcile/vm-ssh/vm-ssh-keys.ts'
import { vmSource } from '../reconcile/vm/vm-keys.ts'
import { keepLogs } from '../reconcile/vm/vm-log-keeper.ts'
import { vmReconciler } from '../reconcile/vm/vm.ts'
import { vmSnapshotReconciler } from '../reconcile/vm-snapshot/vm-snapshot.ts'
import { vmTemplateReconciler } from '../reconcile/vm-template/vm-template.ts'
import {
  vmSnapshotSource,
  volumeSnapshotSource,
  volumeSource,
} from '../reconcile/volume/volume-keys.ts'
import { volumeSnapshotReconciler } from '../reconcile/volume-snapshot/volume-snapshot.ts'
import { volumeReconciler } from '../reconcile/volume/volume.ts'
import { vpcReconciler } from '../reconcile/vpc/vpc.ts'
import { systemClock } from '../runtime/clock.ts'
import { type Config } from '../runtime/config.ts'
import { newId } from '../runtime/ids.ts'
import { type Log } from '../runtime/log.ts'
import { type Metrics } from '../runtime/metrics.ts'
import { type Stop } from '../runtime/stop.ts'
import { sweepChangeLog } from '../engine/database/change-log.ts'
import { sweepIdempotencyKeys } from '../engine/database/idempotency.ts'
import { type Leadership, openLeadership, type Term } from '../engine/reconcile/leadership.ts'
import { type Store } from '../store/store.ts'
import { sweepLoginAttempts, sweepSessions } from '../store/identity/session-sweep.ts'
import { sweepEventsTickets } from '../store/event/events-ticket.ts'
import { sweepNics } from '../store/nic/nic.ts'
import { sweepConsoleTickets } from '../store/vm/vm-console.ts'
import { sweepVmEvents } from '../store/vm/vm-event.ts'
import { ring } from '../engine/reconcile/work-doorbell.ts'
import { type WorkKey } from '../engine/model/work-key.ts'
import { openWork } from '../engine/reconcile/work.ts'
import {
  removeSurplus,
  takeDueSnapshot,
} from '../usecases/snapshot-schedule/run-snapshot-schedule.ts'
import { openCluster } from './cluster.ts'
import { clusterCapacityTask } from './cluster-capacity.ts'
import { publicNetworkTasks } from './public-network.ts'
import { type Ears, type Starting } from './starting.ts'
import { type Networking } from '../domain/network/networking.ts'

const clock = systemClock

interface WorkerParts {
  store: Store
  ears: Ears
  kubeconfig: string | null
  metrics: Metrics
  capabilities: FollowedCapabilities
  networking: Networking
}

export function startWorker({ config, log, stop }: Starting, parts: WorkerParts): void {
  const { store, ears, kubeconfig, metrics, capabilities, networking } = parts
  const { feed, pool } = ears
  const holder = `${hostname()}-${process.pid}-${newId().slice(0, 8)}`
  const fenced = metrics.counter(
    'berth_fenced_writes_total',
    'Writes of lost leases that were turned away.',
  )
  const work = openWork({ pool, owner: holder, onFenced: () => fenced.add() })
  const calls = metrics.counter(
    'berth_cluster_calls_total',
    'Calls to the cluster, streams included.',
    ['method', 'kind'],
  )
  const cluster = openCluster(
    { config, log, stop },
    { kubeconfig, onCall: (call) => calls.add(call) },
  )
  const logs = keepLogs({ cluster, bootLogs: store.bootLogs, clock, log })
  stop.onStop('boot logs', () => logs.stop())
  const { defaultClass } = config.platform.storage
  const reconcilers = {
    network: networkReconciler({ store, work, cluster, networking, segments: config.network }),
    security_group: securityGroupReconciler({ store, work }),
    tenant: tenantReconciler({ store, work, cluster, quotaDefaults: config.tenants.quota }),
    vm: vmReconciler({
      store,
      work,
      cluster: logs.cluster,
      defaultClass,
      settings: {
        driversImage: config.platform.windows.driversImage,
        publicNetwork: networking.publicNetwork,
      },
      takesFilters: networking.takesFilters,
      keepsGuestState: () => capabilities.current()?.guestState.available ?? null,
    }),
    vm_guard: vmGuardReconciler({ store, work, cluster, takesFilters: networking.takesFilters }),
    vm_ssh: vmSshReconciler({ store, work, cluster }),
    vm_template: vmTemplateReconciler({
      store,
      work,
      cluster,
      defaultClass,
      allowPrivate: config.import.allowPrivate,
    }),
    snapshot_schedule: snapshotScheduleReconciler({
      store,
      work,
      snapshots: snapshotTaking(config, capabilities),
    }),
    volume: volumeReconciler({ store, work, cluster }),
    vm_snapshot: vmSnapshotReconciler({ store, work, cluster }),
    volume_snapshot: volumeSnapshotReconciler({ store, work, cluster }),
    vpc: vpcReconciler({ store, work, cluster }),
  }
  const loop = startReconcileLoop({ work, clock, log, reconcilers })
  stop.onStop('work', () => loop.stop(), 15_000)
  stop.onStop(
    'work bell',
    feed.onRing((hasWork) => {
      if (hasWork) loop.wake()
    }),
  )
  startLeaderTasks({
    store,
    cluster,
    feed,
    pool,
    log,
    stop,
    holder,
    config,
    capabilities,
    wake: () => loop.wake(),
  })
}

/** A schedule takes snapshots as somebody would who asks for them. */
function snapshotTaking(
  { tenants, platform }: Config,
  capabilities: FollowedCapabilities,
): SnapshotTaking {
  return {
    take: (op, row, dueMs) => {
      const found = capabilities.current()
      const storageClasses = found && storageClassesOf(found, platform.storage)
      return takeDueSnapshot(op, row, {
        dueMs,
        bounds: { quotaDefaults: tenants.quota, storageClasses },
      })
    },
    remove: removeSurplus,
  }
}

interface LeaderParts {
  store: Store
  cluster: Cluster
  feed: Feed
  pool: Ears['pool']
  log: Log
  stop: Stop
  holder: string
  config: Config
  capabilities: FollowedCapabilities
  /** The loop of this replica; others hear of new work within a second. */
  wake: () => void
}

/** What one replica does for all: hints and full passes, and forgetting what is old. */
function startLeaderTasks({
  store,
  cluster,
  feed,
  pool,
  log,
  stop,
  holder,
  config,
  capabilities,
  wake,
}: LeaderParts): void {
  const leadership = openLeadership({ pool })
  const office = { leadership, holder, clock, log }
  const sources = [
    tenantSource(store, config.tenants.quota),
    vpcSource(store),
    networkSource(store),
    templateSource(store),
    vmSource(store),
    vmGuardSource(store),
    vmSshSource(store),
    volumeSource(store),
    volumeSnapshotSource(store),
    vmSnapshotSource(store),
    snapshotScheduleSource(store),
  ]
  const ringAndWake = async (keys: readonly WorkKey[]): Promise<void> => {
    await ring(pool, keys)
    wake()
  }
  const hints = startLeaderTask({
    ...office,
    name: 'sources',
    run: (_term, signal) =>
      ringFromSources(
        {
          hub: feed.hub,
          sources,
          cluster,
          followed: followedKinds,
          ring: ringAndWake,
          clock,
          log,
        },
        signal,
      ),
  })
  const networks = publicNetworkTasks(office, { config, cluster })
  const capacity = clusterCapacityTask(office, { hosts: cluster.reader, capabilities })
  const policies = startLeaderTask({
    ...office,
    name: 'attachment policies',
    run: (_term, signal) =>
      keepApplied(
        {
          what: 'what keeps tenants out of each other’s networks',
          put: attachmentPoliciesIn(cluster.writer),
          clock,
          log,
          watched: ['admissionPolicy', 'admissionBinding'],
          cluster,
        },
        signal,
      ),
  })
  const retention = startLeaderTask({
    ...office,
    name: 'retention',
    run: (term, signal) => forget(leadership, term, signal),
  })
  const tasks = [hints, ...networks, policies, capacity, retention]
  stop.onStop(
    'leader tasks',
    async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  )
}

const day = 24 * 60 * 60_000

function forget(leadership: Leadership, term: Term, signal: AbortSignal): Promise<void> {
  const sweep = (batch: number): Promise<number> =>
    leadership.asLeader(term, async (client) => {
      const changes = await sweepChangeLog(client, { olderThanMs: day, batch })
      const keys = await sweepIdempotencyKeys(client, { olderThanMs: day, batch })
      const sessions = await sweepSessions(client, { olderThanMs: 30 * day, batch })
      const attempts = await sweepLoginAttempts(client, { olderThanMs: day / 24, batch })
      const consoles = await sweepConsoleTickets(client, { batch })
      const listeners = await sweepEventsTickets(client, { batch })
      const nics = await sweepNics(client, { batch })
      const events = await sweepVmEvents(client, { olderThanMs: 90 * day, batch })
      return Math.max(changes, keys, sessions, attempts, consoles, listeners, nics, events)
    })
  return sweepUntilStopped({ sweep, clock }, signal)
}
