import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type Desk } from '../../desk.ts'
import { isDeleted } from '../../holds.ts'
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
import { disksOf, machineOf, nicsOf } from './machine.ts'
import { isFinal } from '../../../objects/vms/phase.ts'

/**
 * Brings a running guest to what its instance says, and the instance to what became of its guest;
 * true when there is no more to say of it now. A guest that is not there was lost with the process
 * that ran it, and is brought up again, unless its pod is on its way out.
 */
export function followGuest(desk: Desk, vmi: KubeObject): boolean {
  const { guests } = desk.world
  const { uid = '' } = vmi.metadata
  if (!guests) return false
  const pod = launcherOf(desk, vmi)
  if (!pod || isFinal(pod)) return true
  const power = guests.powerOf(uid)
  if (power === null && !isDeleted(pod)) guests.start(machineOf(desk, vmi))
  if (power === 'off' || power === 'crashed') {
    const ended = desk.setStatus(vmiKind, vmi, {
      ...read.status(vmi),
      phase: power === 'off' ? 'Succeeded' : 'Failed',
    })
    endPod(desk, ended)
    return true
  }
  guests.setPaused(uid, isTrue(vmi, 'Paused'))
  guests.setDisks(uid, disksOf(desk, vmi))
  guests.setNics(uid, nicsOf(vmi))
  return missedAgent(desk, vmi)
}

/** Takes back that an agent answers; true when that was written. */
function missedAgent(desk: Desk, vmi: KubeObject): boolean {
  if (!conditionOf(vmi, 'AgentConnected') || answers(desk, vmi) || isTrue(vmi, 'Paused'))
    return false
  const { guestOSInfo: _unknown, ...status } = read.status(vmi)
  desk.setStatus(vmiKind, vmi, {
    ...status,
    conditions: withCondition(conditionsOf(vmi), 'AgentConnected', null),
  })
  return true
}

/** Whether an agent in the guest answers; where there are no guests every one does. */
export const answers = (
  { world: { guests } }: Desk,
  { metadata: { uid = '' } }: KubeObject,
): boolean => guests === undefined || guests.agentOf(uid) !== null

/** The interfaces with what the agent knows of them. */
export function agentInterfaces({ world: { guests } }: Desk, vmi: KubeObject): JsonMap[] {
  const told = guests?.agentOf(vmi.metadata.uid ?? '')?.interfaces
  return nicStatusesOf(vmi).map((each, index) => {
    if (!hasSource(each, 'domain')) return each
    const seen = told?.find(({ mac }) => mac === read.text(each.mac).toLowerCase())
    const addresses = read.texts(each.ipAddresses)
    // Behind its masquerade a guest knows another address than the one that others reach it by.
    const shown = addresses.length > 0 ? addresses : [...(seen?.addresses ?? [])]
    return filled({
      ...each,
      ipAddress: shown[0],
      ipAddresses: shown.length > 0 ? shown : undefined,
      interfaceName: seen?.interfaceName ?? `eth${index}`,
      infoSource: hasSource(each, 'multus-status')
        ? 'domain, guest-agent, multus-status'
        : 'domain, guest-agent',
    })
  })
}

/** What the agent says of the system. */
export function systemTold({ world: { guests } }: Desk, vmi: KubeObject): JsonMap | undefined {
  const report = guests?.agentOf(vmi.metadata.uid ?? '')
  return report ? { ...report.os } : undefined
}
