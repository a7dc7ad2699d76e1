import { type IntersectionOf } from '../engine/model/intersection.ts'
import { hostname } from 'node:os'
import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { storageClassesOf } from '../cluster/capabilities/storage-classes.ts'
import { type MissingRights } from '../engine/kube/missing-rights.ts'
import { startReconcileLoop } from '../engine/reconcile/loop.ts'
import { type SnapshotActions } from '../reconcile/snapshot-schedule/snapshot-schedule.ts'
import { recordGuestLogs } from '../reconcile/vm/guest-log-recorder.ts'
import { type Config } from '../runtime/config/config.ts'
import { newId } from '../runtime/ids.ts'
import { type Metrics } from '../runtime/metrics/metrics.ts'
import { type Store } from '../store/store.ts'
import { openWork } from '../engine/reconcile/work.ts'
import {
  removeSurplus,
  takeDueSnapshot,
} from '../usecases/snapshot-schedule/run-snapshot-schedule.ts'
import { openCluster } from './cluster.ts'
import { type WorkerFeed, type StartupContext } from './startup-context.ts'
import { limitsFrom } from '../domain/tenant/quota.ts'
import { type NetworkSettings } from '../domain/network/network-settings.ts'
import { reconcilers } from '../reconcile/nouns.ts'
import { startLeaderTasks } from './leader-tasks.ts'
import { firewallSettingsOf } from './networking.ts'

interface WorkerParts {
  store: Store
  changeFeed: WorkerFeed
  kubeconfig: string | null
  /** The missing rights of this process. */
  rights: MissingRights
  metrics: Metrics
  capabilities: FollowedCapabilities
  networking: NetworkSettings
}

/**
 * Starts the part of Berth that changes the cluster: the reconcile loop, the tasks of the leader
 * and the recorder of guest logs.
 */
export function startWorker(
  { config, clock, log, stop }: StartupContext,
  parts: WorkerParts,
): void {
  const { store, changeFeed, kubeconfig, rights, metrics, capabilities } = parts
  const { feed, pool } = changeFeed
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
    { config, clock, log, stop },
    { kubeconfig, rights, onCall: (call) => calls.add(call) },
  )
  const logs = recordGuestLogs({ cluster, bootLogs: store.bootLogs, clock, log })
  stop.onStop('boot logs', () => logs.stop())
  const reconcilerParts = { ...partsFrom(config, parts), work, cluster: logs.cluster }
  const loop = startReconcileLoop({
    work,
    clock,
    log,
    reconcilers: Object.fromEntries(
      reconcilers.map((make) => make(reconcilerParts)).map((made) => [made.kind, made]),
    ),
  })
  stop.onStop('work', () => loop.stop(), 15_000)
  stop.onStop(
    'work bell',
    feed.onNotification((hasWork) => {
      if (hasWork) loop.notify()
    }),
  )
  startLeaderTasks({
    clock,
    store,
    cluster,
    feed,
    pool,
    log,
    stop,
    holder,
    config,
    capabilities,
    networking: parts.networking,
    notifyLoop: () => loop.notify(),
  })
}

/** The dependencies of all reconcilers together. Each reconciler takes the part that it needs. */
type ReconcilerParts = IntersectionOf<Parameters<(typeof reconcilers)[number]>[0]>

/** Collects the settings and services of this installation for the reconcilers. */
function partsFrom(
  config: Config,
  { store, capabilities, networking }: WorkerParts,
): Omit<ReconcilerParts, 'work' | 'cluster'> {
  const { windows, storage } = config.platform
  return {
    store,
    networking,
    segments: config.network,
    quotaDefaults: limitsFrom(config.tenants.quota),
    defaultClass: storage.defaultClass,
    allowPrivate: config.import.allowPrivate,
    settings: { driversImage: windows.driversImage, publicNetwork: networking.publicNetwork },
    firewallSettings: () => firewallSettingsOf(networking),
    keepsGuestState: () => capabilities.current()?.guestState?.available ?? null,
    snapshots: snapshotActions(config, capabilities),
  }
}

/** A schedule takes snapshots with the use case that users call. */
function snapshotActions(
  { tenants, platform }: Config,
  capabilities: FollowedCapabilities,
): SnapshotActions {
  return {
    take: (op, row, dueMs) => {
      const found = capabilities.current()
      const storageClasses = found && storageClassesOf(found, platform.storage)
      return takeDueSnapshot(op, row, {
        dueMs,
        bounds: { quotaDefaults: limitsFrom(tenants.quota), storageClasses },
      })
    },
    remove: removeSurplus,
  }
}
