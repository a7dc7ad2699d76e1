import { clock } from '../../../clock.ts'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { read } from '../../../objects/read.ts'
import { isFinal } from '../../../objects/vms/phase.ts'
import { strategyOf } from '../../../objects/vms/power.ts'

/*
 * A VMI that ended without running is a failed start. Each consecutive failure lengthens the wait
 * before the next start.
 */

const retrying = ['Always', 'RerunOnFailure', 'Once']
const maxFactor = 20

const hasRun = (vmi: KubeObject | undefined): boolean =>
  vmi !== undefined &&
  read.maps(read.status(vmi).phaseTransitionTimestamps).some(({ phase }) => phase === 'Running')

/** The count of failed starts and the time of the next one; undefined after a successful start. */
export function startFailureOf(
  client: Client,
  vm: KubeObject,
  vmi: KubeObject | undefined,
): JsonMap | undefined {
  if (hasRun(vmi) || !retrying.includes(strategyOf(vm))) return undefined
  const { startFailure } = read.status(vm)
  const known = read.map(startFailure)
  const isNewFailure =
    vmi !== undefined && isFinal(vmi) && known.lastFailedVMIUID !== vmi.metadata.uid
  if (!isNewFailure) return startFailure === undefined ? undefined : known
  const count = Number(known.consecutiveFailCount ?? 0) + 1
  const waitMs = client.world.pace.msOf('startAgain') * Math.min(count ** 2, maxFactor)
  return {
    consecutiveFailCount: count,
    lastFailedVMIUID: vmi.metadata.uid ?? '',
    retryAfterTimestamp: new Date(clock.nowMs() + waitMs).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
}

/** The milliseconds that the next start still has to wait. */
export function backOffMs(vm: KubeObject): number {
  const until = Date.parse(read.text(read.at(vm.status, 'startFailure', 'retryAfterTimestamp')))
  return Number.isNaN(until) ? 0 : Math.max(0, until - clock.nowMs())
}
