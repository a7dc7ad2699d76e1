import { type KubeObject } from '../objects/types.ts'
import {
  type ConditionUpdate,
  conditionsOf,
  isTrue,
  withCondition,
} from '../objects/vms/conditions.ts'
import { phaseOf } from '../objects/vms/phase.ts'
import { read } from '../objects/read.ts'
import { type SubresourceCall, type SubresourceHandler, isDry, store, subjectOf } from './call.ts'
import { optionsIn } from './options.ts'
import { deny, empty } from './refusals.ts'

/*
 * Handlers of the VMI subresources that act on a running guest: pause, reboot, reset, freeze and
 * the cancellation of an evacuation.
 */

const isRunning = (vmi: KubeObject): boolean => phaseOf(vmi) === 'Running'

/** Returns the VMI when its guest runs; otherwise refuses with the message. */
function runningOf(call: SubresourceCall, otherwise: string): KubeObject {
  const vmi = subjectOf(call)
  if (!isRunning(vmi)) throw deny.conflict(call.subject, otherwise)
  return vmi
}

function setPaused(call: SubresourceCall, vmi: KubeObject, update: ConditionUpdate | null): void {
  const conditions = withCondition(conditionsOf(vmi), 'Paused', update)
  store(call, vmi, { ...vmi, status: { ...read.status(vmi), conditions } })
}

export const pause: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.PauseOptions')
  const vmi = runningOf(call, 'VM is not running')
  const probe = read.map(read.spec(vmi).livenessProbe)
  if (Object.keys(probe).length > 0 && probe.guestAgentPing === undefined)
    throw deny.forbidden(
      call.subject,
      'Pausing VMIs with a non-GuestAgentPing LivenessProbe is not supported',
    )
  if (isTrue(vmi, 'Paused')) throw deny.conflict(call.subject, 'VMI is already paused')
  const update: ConditionUpdate = {
    status: 'True',
    reason: 'PausedByUser',
    message: 'VMI was paused by user',
  }
  if (!isDry(options)) setPaused(call, vmi, update)
  return empty(200)
}

export const unpause: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.UnpauseOptions')
  const vmi = runningOf(call, 'VMI is not running')
  if (!isTrue(vmi, 'Paused')) throw deny.conflict(call.subject, 'VMI is not paused')
  if (!isDry(options)) setPaused(call, vmi, null)
  return empty(200)
}

/** Reboots the guest inside the same VMI, which does not change. */
export const softReboot: SubresourceHandler = (call) => {
  const vmi = runningOf(call, 'VM is not running')
  if (isTrue(vmi, 'Paused')) throw deny.conflict(call.subject, 'VMI is paused')
  const acpi = read.at(vmi.spec, 'domain', 'features', 'acpi', 'enabled')
  if (!isTrue(vmi, 'AgentConnected') && acpi === false)
    throw deny.conflict(
      call.subject,
      'VMI neither have the agent connected nor the ACPI feature enabled',
    )
  call.client.world.guests?.reboot(vmi.metadata.uid ?? '', 'soft')
  return empty(200)
}

export const reset: SubresourceHandler = (call) => {
  const vmi = subjectOf(call)
  const phase = phaseOf(vmi)
  if (phase === 'Running') {
    call.client.world.guests?.reboot(vmi.metadata.uid ?? '', 'reset')
    return empty(200)
  }
  const why = `Unable to connect to VirtualMachineInstance because phase is ${phase} instead of Running or Scheduled`
  throw deny.badRequest(`Failed to reset non-running VMI with phase ${phase}: ${why}`)
}

export const freeze: SubresourceHandler = (call) => {
  optionsIn(call.body, 'v1.FreezeUnfreezeTimeout')
  setFrozen(call, true)
  return empty(200)
}

export const unfreeze: SubresourceHandler = (call) => {
  setFrozen(call, false)
  return empty(200)
}

function setFrozen(call: SubresourceCall, frozen: boolean): void {
  const vmi = runningOf(call, 'VM is not running')
  const { fsFreezeStatus: _was, ...status } = read.status(vmi)
  store(call, vmi, {
    ...vmi,
    status: { ...status, ...(frozen ? { fsFreezeStatus: 'frozen' } : {}) },
  })
}

/** Cancels an evacuation by removing its mark from the VMI. */
export const cancelEvacuation: SubresourceHandler = (call) => {
  const options = optionsIn(call.body, 'v1.EvacuateCancelOptions')
  const vmi = subjectOf(call)
  const { evacuationNodeName: _node, ...status } = read.status(vmi)
  if (!isDry(options)) store(call, vmi, { ...vmi, status })
  return empty(200)
}
