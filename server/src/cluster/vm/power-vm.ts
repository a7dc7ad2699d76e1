import { isOver } from '../../domain/vm/observed.ts'
import { checkedName, type ClusterName } from '../../engine/kube/refs.ts'
import { ClusterError } from '../../engine/kube/cluster-error.ts'
import { type PowerAction, type PowerTarget, type PowerWriter } from '../writer.ts'
import { type ApiCall, type ApiKind } from '../../engine/kube/api-call.ts'
import { readObject } from '../../engine/kube/apply.ts'
import { textAt } from '../../engine/kube/field-at.ts'
import { instanceKind, instanceSubresourceKind } from './instances.ts'
import { manifests } from '../manifests.ts'
import { type Transport } from '../../engine/kube/transport.ts'

/*
 * Commands that KubeVirt accepts in addition to a VM's spec. They name no uid, so Berth compares it
 * first. A VM that was recreated in between would get the command. It would then only do what any
 * of its users may do, and nothing that cannot be undone.
 */
interface Command {
  of: ApiKind
  subresource: ApiCall['subresource'] & string
  body?: Readonly<Record<string, number>>
  /** Matches the conflicts with which KubeVirt reports that the VM already is in this state. */
  settledWhen: RegExp
}

export const vmSubresourceKind: ApiKind = {
  ...manifests.vm.of,
  group: 'subresources.kubevirt.io',
  verbs: [],
  subresources: { start: 'update', stop: 'update', restart: 'update' },
}

export const powerCommands: Readonly<Record<PowerAction, Command>> = {
  start: { of: vmSubresourceKind, subresource: 'start', settledWhen: /VM is already running/ },
  forceStop: {
    of: vmSubresourceKind,
    subresource: 'stop',
    // Stop and restart have different names for this field.
    body: { gracePeriod: 0 },
    // KubeVirt reports the second text when an earlier command already demanded an immediate stop.
    settledWhen: /VM is not running|with a shorter graceperiod/,
  },
  restart: { of: vmSubresourceKind, subresource: 'restart', settledWhen: /VM is not running/ },
  forceRestart: {
    of: vmSubresourceKind,
    subresource: 'restart',
    body: { gracePeriodSeconds: 0 },
    settledWhen: /VM is not running/,
  },
  pause: { of: instanceSubresourceKind, subresource: 'pause', settledWhen: /already paused/ },
  resume: { of: instanceSubresourceKind, subresource: 'unpause', settledWhen: /is not paused/ },
}

/** Sends power commands to KubeVirt, such as a restart or a forced stop. */
export function powerWriter(transport: Transport): PowerWriter {
  return {
    async powerVm(ref, action, { uid, instanceUid }) {
      const reference = { namespace: checkedName(ref.namespace), name: checkedName(ref.name) }
      await requireVm(transport, reference, uid)
      const { of, subresource, body } = powerCommands[action]
      // Every command except `start` needs a running VMI. Without it there is nothing to do.
      if (action !== 'start' && !(await isCurrentVmi(transport, reference, instanceUid)))
        return 'settled'
      try {
        await transport.call({ method: 'PUT', of, ...reference, subresource, body: body ?? {} })
        return 'accepted'
      } catch (error) {
        if (error instanceof ClusterError) return settledBy(error, action)
        throw error
      }
    },
  }
}

interface Reference {
  namespace: ClusterName
  name: ClusterName
}

async function requireVm(transport: Transport, reference: Reference, uid: string): Promise<void> {
  const vm = await readObject(transport, { of: manifests.vm.of, ...reference })
  const call = `power ${reference.namespace}/${reference.name}`
  if (!vm) throw new ClusterError('the VM does not exist', { trouble: 'gone', call, status: null })
  if (vm.metadata.uid !== uid)
    throw new ClusterError('another VM has this name', {
      trouble: 'uid_mismatch',
      call,
      status: null,
    })
}

async function isCurrentVmi(
  transport: Transport,
  reference: Reference,
  instanceUid: PowerTarget['instanceUid'],
): Promise<boolean> {
  const instance = await readObject(transport, { of: instanceKind, ...reference })
  return (
    instance !== null &&
    instance.metadata.uid === instanceUid &&
    !isOver(textAt(instance, 'status', 'phase'))
  )
}

/** Only the text of a conflict tells its cause. */
function settledBy(error: ClusterError, action: PowerAction): 'settled' {
  const { message, status, trouble } = error
  if (status === 409 && powerCommands[action].settledWhen.test(message)) return 'settled'
  // The VMI ended a moment ago; the VM existed just now.
  if (trouble === 'gone' && action !== 'start') return 'settled'
  if (!message.includes('already underway')) throw error
  throw new ClusterError('an earlier command is still queued', {
    trouble: 'version_conflict',
    call: `${action} a VM`,
    status,
    cause: error,
  })
}
