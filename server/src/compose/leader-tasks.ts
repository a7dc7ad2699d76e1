import { limitsFrom } from '../domain/tenant/quota.ts'
import { type ChangeFeed } from '../engine/changes/feed.ts'
import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { type Cluster } from '../cluster/kubevirt-cluster.ts'
import { attachmentPolicyApplier } from '../reconcile/cluster/attachment-policies.ts'
import { keepApplied } from '../engine/reconcile/keep-applied.ts'
import { followedKinds } from '../reconcile/followed-kinds.ts'
import { type Source, enqueueFromSources } from '../engine/reconcile/sources.ts'
import { type Config } from '../runtime/config/config.ts'
import { type Log } from '../runtime/log.ts'
import { type Stop } from '../runtime/stop.ts'
import { openLeadership } from '../engine/reconcile/leadership.ts'
import { type KeyReaders, type Store } from '../store/store.ts'
import { type EnqueueOptions, enqueueWork } from '../engine/reconcile/enqueue-work.ts'
import { type WorkKey } from '../engine/model/work-key.ts'
import { clusterCapacityTask } from './cluster-capacity.ts'
import { publicNetworkTasks } from './public-network.ts'
import { firewallSettingsOf } from './networking.ts'
import { type NetworkSettings } from '../domain/network/network-settings.ts'
import { retentionTask } from './retention.ts'
import { type WorkerFeed } from './startup-context.ts'
import { keySources } from '../reconcile/nouns.ts'
import { type Clock, type Stoppable } from '../runtime/clock.ts'
import { type LeaderContext, startLeaderTask } from '../engine/reconcile/leader.ts'

interface LeaderParts {
  clock: Clock
  store: Store
  cluster: Cluster
  feed: ChangeFeed
  pool: WorkerFeed['pool']
  log: Log
  stop: Stop
  holder: string
  config: Config
  capabilities: FollowedCapabilities
  networking: NetworkSettings
  /** Notifies the loop of this replica. Other replicas notice new work within a second. */
  notifyLoop: () => void
}

/**
 * Starts the tasks that one replica runs for all: turning changes into reconcile work, full passes,
 * and retention.
 */
export function startLeaderTasks({
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
  networking,
  notifyLoop,
}: LeaderParts): void {
  const leadership = openLeadership({ pool })
  const leader = { leadership, holder, clock, log }
  const sources = sourcesFrom(store.workKeys, { config, networking })
  const enqueueKeys = async (keys: readonly WorkKey[], options?: EnqueueOptions): Promise<void> => {
    await enqueueWork(pool, keys, options)
    notifyLoop()
  }
  const sourcesTask = startLeaderTask({
    ...leader,
    name: 'sources',
    run: (_term, signal) =>
      enqueueFromSources(
        {
          hub: feed.hub,
          sources,
          cluster,
          followed: followedKinds,
          enqueue: enqueueKeys,
          clock,
          log,
        },
        signal,
      ),
  })
  const networks = publicNetworkTasks(leader, { config, cluster })
  const capacity = clusterCapacityTask(leader, { nodes: cluster.reader, capabilities })
  const policies = policyTask(leader, cluster)
  const tasks = [sourcesTask, ...networks, policies, capacity, retentionTask(leader, config)]
  stop.onStop(
    'leader tasks',
    async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  )
}

/** Builds the source of each kind of work key. A kind without a source does not compile. */
function sourcesFrom(
  workKeys: KeyReaders,
  { config, networking }: Pick<LeaderParts, 'config' | 'networking'>,
): Record<string, Source> {
  const parts = {
    workKeys,
    quotaDefaults: limitsFrom(config.tenants.quota),
    firewallSettings: () => firewallSettingsOf(networking),
  }
  const makers: Readonly<Record<keyof KeyReaders, (all: typeof parts) => Source>> = keySources
  return Object.fromEntries(Object.entries(makers).map(([kind, make]) => [kind, make(parts)]))
}

/** Applies the admission policies that keep tenants out of networks of other tenants. */
function policyTask(leader: LeaderContext, cluster: Cluster): Stoppable {
  return startLeaderTask({
    ...leader,
    name: 'attachment policies',
    run: (_term, signal) =>
      keepApplied(
        {
          what: 'attachment admission policies',
          put: attachmentPolicyApplier(cluster.writer),
          clock: leader.clock,
          log: leader.log,
          watched: ['admissionPolicy', 'admissionBinding'],
          cluster,
        },
        signal,
      ),
  })
}
