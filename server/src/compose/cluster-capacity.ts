import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { type NodeReader } from '../cluster/reader.ts'
import { defaultVcpusPerCore } from '../domain/cluster-capacity/cluster-capacity.ts'
import { trackClusterCapacity } from '../reconcile/cluster/cluster-capacity.ts'
import { type LeaderContext, startLeaderTask } from '../engine/reconcile/leader.ts'
import { type Stoppable } from '../runtime/clock.ts'
import {
  capacityLease,
  recordCapacity,
  recordSilence,
} from '../store/cluster-capacity/cluster-capacity.ts'

interface CapacityParts {
  nodes: Pick<NodeReader, 'listNodeSizes'>
  capabilities: Pick<FollowedCapabilities, 'current'>
  everyMs?: number
}

/** Records the CPU and memory of all nodes. Only the leader reads them, for all replicas. */
export function clusterCapacityTask(
  leader: LeaderContext,
  { nodes, capabilities, ...pace }: CapacityParts,
): Stoppable {
  const { leadership, clock, log } = leader
  return startLeaderTask({
    ...leader,
    name: capacityLease,
    run: (term, signal) =>
      trackClusterCapacity(
        {
          nodes,
          clock,
          log,
          ...pace,
          vcpusPerCore: () => capabilities.current()?.vcpusPerCore ?? defaultVcpusPerCore,
          record: (found) => leadership.asLeader(term, (client) => recordCapacity(client, found)),
          recordSilence: (silentMs) =>
            leadership.asLeader(term, (client) => recordSilence(client, silentMs)),
        },
        signal,
      ),
  })
}
