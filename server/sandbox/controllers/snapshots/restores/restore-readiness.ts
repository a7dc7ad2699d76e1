import { type KubeObject } from '../../../objects/types.ts'
import { clock } from '../../../clock.ts'
import { type Client } from '../../client.ts'
import { read } from '../../../objects/read.ts'
import { retryableError } from './restore-job.ts'

const graceMs = 5 * 60_000
const stillThere =
  'Restore target VMI still exists, please stop the restore target to proceed with restore'
const mustBeOff =
  'Waiting for target VM to be powered off. Please stop the restore target to proceed with restore'

/** The report and the action of a restore while its target VM still runs. */
export interface ReadinessWait {
  reason: string
  event?: string
  isFinal?: true
  stopsTarget?: true
  againMs?: number
}

export function readinessWaitOf(restore: KubeObject): ReadinessWait {
  const leftMs = Date.parse(restore.metadata.creationTimestamp ?? '') + graceMs - clock.nowMs()
  switch (read.spec(restore).targetReadinessPolicy) {
    case 'FailImmediate':
      return {
        reason: 'Restore target VMI must be powered off before restore operation',
        isFinal: true,
      }
    case 'StopTarget': {
      const reason = 'Automatically stopping restore target for restore operation'
      return { reason, event: reason, stopsTarget: true }
    }
    case 'WaitEventually':
      return { reason: mustBeOff, event: stillThere }
    default:
      if (leftMs < 0) {
        const reason =
          'Restore target failed to be ready within 5m0s. Please power off the target VM before attempting restore'
        return { reason, isFinal: true }
      }
      return {
        reason: `${mustBeOff}, or the operation will fail after 5m0s`,
        event: stillThere,
        againMs: leftMs + 1,
      }
  }
}

const vms = 'virtualmachines.kubevirt.io'

/** Stops the VM with the rules and refusals of the `stop` subresource. */
export function stop(client: Client, vm: KubeObject, vmi: KubeObject): void {
  const refusal = (why: string): Error =>
    retryableError(
      `Operation cannot be fulfilled on virtualmachine.kubevirt.io "${vm.metadata.name}": ${why}`,
    )
  const phase = read.text(read.status(vmi).phase)
  if (phase === 'Succeeded' || phase === 'Failed') throw refusal('VM is not running')
  const { running, runStrategy } = read.spec(vm)
  const strategy =
    running === undefined ? read.text(runStrategy) : running === true ? 'Always' : 'Halted'
  if (strategy === 'Halted')
    throw refusal('Halted only supports manual stop requests with a shorter graceperiod')
  if (strategy === 'Always') {
    client.change(vms, vm, {
      ...vm,
      spec: {
        ...read.spec(vm),
        ...(running === undefined ? { runStrategy: 'Halted' } : { running: false }),
      },
    })
    return
  }
  const stateChangeRequests = [{ action: 'Stop', uid: vmi.metadata.uid }]
  client.setStatus(vms, vm, { ...read.status(vm), stateChangeRequests })
}
