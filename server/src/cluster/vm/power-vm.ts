import { isOver } from '../../domain/vm/seen.ts'
import { checkedName, type ClusterName } from '../../engine/kube/refs.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { type PowerAction, type PoweredVm, type PowerWriter } from '../writer.ts'
import { type ApiCall, type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { textAt } from '../../engine/kube/field-at.ts'
import { instanceKind, liveInstanceKind } from './instances.ts'
import { manifests } from '../manifests.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/*
 * Orders that KubeVirt takes beside a VM's description. They name no uid, so it is compared before:
 * a VM made anew in the moment between would get the order, which then does to it what any user of
 * it may do, and nothing that cannot be undone.
 */
interface Order {
  of: ApiKind
  subresource: ApiCall['subresource'] & string
  body?: Readonly<Record<string, number>>
  /** What KubeVirt calls a conflict because it is so already. */
  settledWhen: RegExp
}

const liveVm: ApiKind = { ...manifests.vm.of, group: 'subresources.kubevirt.io' }

export const orders: Readonly<Record<PowerAction, Order>> = {
  start: { of: liveVm, subresource: 'start', settledWhen: /VM is already running/ },
  forceStop: {
    of: liveVm,
    subresource: 'stop',
    // The field's name is another one in each of the two.
    body: { gracePeriod: 0 },
    // The second is said where it was told to go at once before.
    settledWhen: /VM is not running|with a shorter graceperiod/,
  },
  restart: { of: liveVm, subresource: 'restart', settledWhen: /VM is not running/ },
  forceRestart: {
    of: liveVm,
    subresource: 'restart',
    body: { gracePeriodSeconds: 0 },
    settledWhen: /VM is not running/,
  },
  pause: { of: liveInstanceKind, subresource: 'pause', settledWhen: /already paused/ },
  resume: { of: liveInstanceKind, subresource: 'unpause', settledWhen: /is not paused/ },
}

export function powerWriter(transport: Transport): PowerWriter {
  return {
    async powerVm(ref, action, { uid, instanceUid }) {
      const place = { namespace: checkedName(ref.namespace), name: checkedName(ref.name) }
      await mustBe(transport, place, uid)
      const { of, subresource, body } = orders[action]
      // Every order but a start means something running; without it there is nothing to order.
      if (action !== 'start' && !(await isThisRun(transport, place, instanceUid))) return 'settled'
      try {
        await transport.call({ method: 'PUT', of, ...place, subresource, body: body ?? {} })
        return 'accepted'
      } catch (error) {
        if (error instanceof ClusterError) return settledBy(error, action)
        throw error
      }
    },
  }
}

interface Place {
  namespace: ClusterName
  name: ClusterName
}

async function mustBe(transport: Transport, place: Place, uid: string): Promise<void> {
  const vm = await readObject(transport, { of: manifests.vm.of, ...place })
  const call = `power ${place.namespace}/${place.name}`
  if (!vm) throw new ClusterError('the VM is not there', { trouble: 'gone', call, status: null })
  if (vm.metadata.uid !== uid)
    throw new ClusterError('another VM bears the name', {
      trouble: 'uid_mismatch',
      call,
      status: null,
    })
}

async function isThisRun(
  transport: Transport,
  place: Place,
  instanceUid: PoweredVm['instanceUid'],
): Promise<boolean> {
  const instance = await readObject(transport, { of: instanceKind, ...place })
  return (
    instance !== null &&
    instance.metadata.uid === instanceUid &&
    !isOver(textAt(instance, 'status', 'phase'))
  )
}

/** Conflicts are told apart by their text alone. */
function settledBy(error: ClusterError, action: PowerAction): 'settled' {
  const { message, status, trouble } = error
  if (status === 409 && orders[action].settledWhen.test(message)) return 'settled'
  // The run ended a moment ago; the VM itself was there just now.
  if (trouble === 'gone' && action !== 'start') return 'settled'
  if (!message.includes('already underway')) throw error
  throw new ClusterError('an earlier order is still in line', {
    trouble: 'version_conflict',
    call: `${action} a VM`,
    status,
    cause: error,
  })
}
