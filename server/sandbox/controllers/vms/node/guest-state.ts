import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Client } from '../../client.ts'
import { isDeleted } from '../../finalizers.ts'
import { hasSource } from '../../nics/nic-sources.ts'
import { nicStatusesOf } from '../../nics/nics.ts'
import { filled, read } from '../../../objects/read.ts'
import {
  conditionOf,
  conditionsOf,
  isTrue,
  withCondition,
} from '../../../objects/vms/conditions.ts'
import { endPod } from './guest-pod.ts'
import { vmiKind } from '../../../objects/vms/kinds.ts'
import { launcherOf } from '../launcher/launchers.ts'
import { disksOf, guestSpecOf, nicsOf } from './guest-spec.ts'
import { isFinal } from '../../../objects/vms/phase.ts'

/**
 * Synchronizes a running guest with its VMI, and the VMI with the state of the guest; true when
 * nothing else has to be reported now.
 *
 * A guest that is missing was lost with the process of the sandbox. It boots again unless its pod
 * is being deleted.
 */
export function syncGuest(client: Client, vmi: KubeObject): boolean {
  const { guests } = client.world
  const { uid = '' } = vmi.metadata
  if (!guests) return false
  const pod = launcherOf(client, vmi)
  if (!pod || isFinal(pod)) return true
  const power = guests.powerOf(uid)
  if (power === null && !isDeleted(pod)) guests.start(guestSpecOf(client, vmi))
  if (power === 'off' || power === 'crashed') {
    const ended = client.setStatus(vmiKind, vmi, {
      ...read.status(vmi),
      phase: power === 'off' ? 'Succeeded' : 'Failed',
    })
    endPod(client, ended)
    return true
  }
  guests.setPaused(uid, isTrue(vmi, 'Paused'))
  guests.setDisks(uid, disksOf(client, vmi))
  guests.setNics(uid, nicsOf(vmi))
  return clearAgent(client, vmi)
}

/** Removes the AgentConnected condition when the agent no longer answers; true when it wrote. */
function clearAgent(client: Client, vmi: KubeObject): boolean {
  if (!conditionOf(vmi, 'AgentConnected') || isAgentAnswering(client, vmi) || isTrue(vmi, 'Paused'))
    return false
  const { guestOSInfo: _unknown, ...status } = read.status(vmi)
  client.setStatus(vmiKind, vmi, {
    ...status,
    conditions: withCondition(conditionsOf(vmi), 'AgentConnected', null),
  })
  return true
}

/** True when the guest agent answers; always true without simulated guests. */
export const isAgentAnswering = (
  { world: { guests } }: Client,
  { metadata: { uid = '' } }: KubeObject,
): boolean => guests === undefined || guests.agentOf(uid) !== null

/** The interface statuses with the information of the guest agent. */
export function agentInterfaces({ world: { guests } }: Client, vmi: KubeObject): JsonMap[] {
  const reported = guests?.agentOf(vmi.metadata.uid ?? '')?.interfaces
  return nicStatusesOf(vmi).map((each, index) => {
    if (!hasSource(each, 'domain')) return each
    const observed = reported?.find(({ mac }) => mac === read.text(each.mac).toLowerCase())
    const addresses = read.texts(each.ipAddresses)
    // With masquerade the guest knows an internal address, so the pod's address is reported.
    const shown = addresses.length > 0 ? addresses : [...(observed?.addresses ?? [])]
    return filled({
      ...each,
      ipAddress: shown[0],
      ipAddresses: shown.length > 0 ? shown : undefined,
      interfaceName: observed?.interfaceName ?? `eth${index}`,
      infoSource: hasSource(each, 'multus-status')
        ? 'domain, guest-agent, multus-status'
        : 'domain, guest-agent',
    })
  })
}

/** The operating system that the guest agent reports. */
export function reportedOs({ world: { guests } }: Client, vmi: KubeObject): JsonMap | undefined {
  const report = guests?.agentOf(vmi.metadata.uid ?? '')
  return report ? { ...report.os } : undefined
}
