import { type HostReader } from '../../cluster/reader.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import {
  type FoundCapacity,
  hostCapacityFrom,
} from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type Clock } from '../../runtime/clock.ts'
import { type Log } from '../../runtime/log.ts'

interface Kept {
  hosts: Pick<HostReader, 'listHostSizes'>
  vcpusPerCore: () => number
  record: (found: FoundCapacity) => Promise<void>
  /** The cluster has not answered for so long. */
  recordSilence: (silentMs: number) => Promise<void>
  clock: Pick<Clock, 'sleep' | 'elapsedMs'>
  log: Log
  everyMs?: number
}

/**
 * All hosts are much to read, so a cluster that is away is not asked as often as for other things.
 */
const afterSilenceMs = 15_000

/**
 * Keeps written down what the hosts of the cluster have. Writes when it is another than before, and
 * ends soon after the signal.
 */
export async function keepClusterCapacity(
  { clock, log, everyMs = 60_000, ...kept }: Kept,
  signal: AbortSignal,
): Promise<void> {
  let known = ''
  let seenAtMs = clock.elapsedMs()
  while (!signal.aborted) {
    const found = await look(kept, log)
    if (found) seenAtMs = clock.elapsedMs()
    const told = JSON.stringify(found)
    if (told !== known) {
      log.info('what the hosts have', found ?? { gap: 'silent' })
      await (found ? kept.record(found) : kept.recordSilence(clock.elapsedMs() - seenAtMs))
    }
    known = told
    await clock.sleep(found ? everyMs : Math.min(everyMs, afterSilenceMs), signal)
  }
}

/** Null where the cluster does not answer. */
async function look(
  { hosts, vcpusPerCore }: Pick<Kept, 'hosts' | 'vcpusPerCore'>,
  log: Log,
): Promise<FoundCapacity | null> {
  try {
    return { hosts: hostCapacityFrom(await hosts.listHostSizes(), vcpusPerCore()), gap: null }
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error
    log.debug('the hosts did not say what they have', { error })
    return error.trouble === 'not_permitted' ? { hosts: null, gap: 'not_permitted' } : null
  }
}
