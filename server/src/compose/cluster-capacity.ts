import { type FollowedCapabilities } from '../cluster/capabilities/follow-capabilities.ts'
import { type HostReader } from '../cluster/reader.ts'
import { usualVcpusPerCore } from '../domain/cluster-capacity/cluster-capacity.ts'
import { keepClusterCapacity } from '../reconcile/cluster/cluster-capacity.ts'
import { type Office, startLeaderTask } from '../engine/reconcile/leader.ts'
import { type Stoppable } from '../runtime/clock.ts'
import {
  capacityOffice,
  recordCapacity,
  recordSilence,
} from '../store/cluster-capacity/cluster-capacity.ts'

interface CapacityParts {
  hosts: Pick<HostReader, 'listHostSizes'>
  capabilities: Pick<FollowedCapabilities, 'current'>
  everyMs?: number
}

/** One replica measures the capacity of the cluster for all. */
export function clusterCapacityTask(
  leader: Office,
  { hosts, capabilities, ...pace }: CapacityParts,
): Stoppable {
  const { leadership, clock, log } = leader
  return startLeaderTask({
    ...leader,
    name: capacityOffice,
    run: (term, signal) =>
      keepClusterCapacity(
        {
          hosts,
          clock,
          log,
          ...pace,
          vcpusPerCore: () => capabilities.current()?.vcpusPerCore ?? usualVcpusPerCore,
          record: (found) => leadership.asLeader(term, (client) => recordCapacity(client, found)),
          recordSilence: (silentMs) =>
            leadership.asLeader(term, (client) => recordSilence(client, silentMs)),
        },
        signal,
      ),
  })
}
