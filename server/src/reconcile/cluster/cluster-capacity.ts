import { type NodeReader } from '../../cluster/reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import {
  type HostCapacity,
  type ObservedCapacity,
  hostCapacityFrom,
} from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

interface CapacityParts {
  nodes: Pick<NodeReader, 'listNodeSizes'>
  vcpusPerCore: () => number
  record: (capacity: ObservedCapacity) => Promise<void>
  /** Records that the cluster has not answered for this long. */
  recordSilence: (silentMs: number) => Promise<void>
  clock: Pick<Clock, 'sleep' | 'elapsedMs'>
  log: Log
  everyMs?: number
}

/**
 * The delay after a read without an answer. Listing all nodes is expensive, so it is longer than
 * for other reads.
 */
const afterSilenceMs = 15_000

/**
 * Records the capacity of the nodes until the signal aborts. Writes only when the capacity changes.
 */
export async function trackClusterCapacity(
  { clock, log, everyMs = 60_000, ...parts }: CapacityParts,
  signal: AbortSignal,
): Promise<void> {
  let lastReported = ''
  let observedAtMs = clock.elapsedMs()
  while (!signal.aborted) {
    const capacity = await readCapacity(parts, log)
    if (capacity) observedAtMs = clock.elapsedMs()
    const reported = JSON.stringify(capacity)
    if (reported !== lastReported) {
      logCapacity(log, capacity)
      await (capacity
        ? parts.record(capacity)
        : parts.recordSilence(clock.elapsedMs() - observedAtMs))
    }
    lastReported = reported
    await clock.sleep(capacity ? everyMs : Math.min(everyMs, afterSilenceMs), signal)
  }
}

function logCapacity(log: Log, capacity: ObservedCapacity | null): void {
  if (capacity?.hosts) log.info('cluster.capacity_observed', loggedNodes(capacity.hosts))
  else if (capacity)
    log.warn('cluster.capacity_unknown', {
      reason: capacity.gap,
      effect: 'the console shows no capacity; VMs are not affected',
      remedy: 'allow Berth to list nodes',
    })
  else
    log.warn('cluster.capacity_unknown', {
      reason: 'cluster_does_not_answer',
      effect: 'the console shows the last known capacity with its time; VMs are not affected',
      remedy: 'none, unless it lasts: check the API server and the credentials of Berth',
    })
}

/** Only nodes that are ready and take new VMs count for the cores and the memory. */
const loggedNodes = ({ total, ready, open, ...size }: HostCapacity) => ({
  nodes: { total, ready, readyAndSchedulable: open },
  ofReadyAndSchedulable: size,
})

/** Returns null when the cluster does not answer. */
async function readCapacity(
  { nodes, vcpusPerCore }: Pick<CapacityParts, 'nodes' | 'vcpusPerCore'>,
  log: Log,
): Promise<ObservedCapacity | null> {
  try {
    return { hosts: hostCapacityFrom(await nodes.listNodeSizes(), vcpusPerCore()), gap: null }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    log.debug('cluster.capacity_read_failed', { error })
    return error.trouble === 'not_permitted' ? { hosts: null, gap: 'not_permitted' } : null
  }
}
