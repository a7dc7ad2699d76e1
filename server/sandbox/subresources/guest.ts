import { type Answer } from '../apiserver/request.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { ApiError } from '../objects/status.ts'
import { isTrue } from '../objects/vms/conditions.ts'
import { type AgentReport } from '../guests/guest.ts'
import { phaseOf } from '../objects/vms/phase.ts'
import { read } from '../objects/read.ts'
import { type SubresourceCall, type SubresourceHandler, subjectOf } from './call.ts'
import { deny, plain } from './refusals.ts'

/*
 * Handlers of the VMI subresources that show the report of the guest agent: guestosinfo, userlist
 * and filesystemlist.
 */

// Copies, because the response must not share objects with the agent's report.
const disksOf = ({ disks }: AgentReport): JsonMap[] => disks.map((each) => ({ ...each }))
const usersOf = ({ users }: AgentReport): JsonMap[] => users.map((each) => ({ ...each }))

export const guestInfo: SubresourceHandler = fromAgent((report, vmi) => ({
  guestAgentVersion: '9.2.0',
  supportedCommands: [],
  hostname: report.hostname,
  os: { ...report.os },
  timezone: report.timezone,
  userList: usersOf(report),
  fsInfo: { disks: disksOf(report) },
  ...(read.status(vmi).fsFreezeStatus === 'frozen' ? { fsFreezeStatus: 'frozen' } : {}),
}))

export const guestUsers: SubresourceHandler = fromAgent((report) => ({
  metadata: {},
  items: usersOf(report),
}))

export const guestDisks: SubresourceHandler = fromAgent((report) => ({
  metadata: {},
  items: disksOf(report),
}))

/** Answers from the report of the guest agent. These subresources return errors as plain text. */
function fromAgent(tell: (report: AgentReport, vmi: KubeObject) => JsonMap): SubresourceHandler {
  return inPlainText((call) => {
    const vmi = subjectOf(call)
    if (phaseOf(vmi) !== 'Running') throw deny.conflict(call.subject, 'VMI is not running')
    const report = call.client.world.guests?.agentOf(vmi.metadata.uid ?? '')
    if (!report || !isTrue(vmi, 'AgentConnected'))
      throw deny.conflict(call.subject, 'VMI does not have guest agent connected')
    return { status: 200, body: tell(report, vmi) }
  })
}

/**
 * Wraps a handler so that it returns errors as plain text, as these subresources of virt-api do.
 */
export function inPlainText(handler: SubresourceHandler): SubresourceHandler {
  return (call: SubresourceCall): Answer => {
    try {
      return handler(call)
    } catch (error) {
      if (error instanceof ApiError) return plain(500, error.message)
      throw error
    }
  }
}
