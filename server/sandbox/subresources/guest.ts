import { type Answer } from '../apiserver/request.ts'
import { type JsonMap, type KubeObject } from '../apiserver/types.ts'
import { ApiError } from '../apiserver/status.ts'
import { isTrue } from '../controllers/vms/conditions.ts'
import { phaseOf } from '../controllers/vms/phase.ts'
import { read } from '../controllers/read.ts'
import { type SubCall, type SubHandler, subjectOf } from './call.ts'
import { deny, plain } from './refusals.ts'

const loginSeconds = 1_700_000_000
const gigabyte = 2 ** 30

const users: JsonMap[] = [{ userName: 'fedora', loginTime: loginSeconds }]
const disks: JsonMap[] = [{ diskName: 'vda1', fileSystemType: 'ext4', mountPoint: '/', totalBytes: 10 * gigabyte, usedBytes: gigabyte }]

const system: JsonMap = {
  id: 'fedora',
  name: 'Fedora Linux',
  prettyName: 'Fedora Linux 42 (Cloud Edition)',
  version: '42',
  versionId: '42',
  kernelRelease: '6.14.0',
  kernelVersion: '#1 SMP',
  machine: 'x86_64',
}

const nameOf = (vmi: KubeObject): string => read.text(read.spec(vmi).hostname) || vmi.metadata.name

export const guestInfo: SubHandler = fromAgent((vmi) => ({
  guestAgentVersion: '9.2.0',
  supportedCommands: [],
  hostname: nameOf(vmi),
  os: system,
  timezone: 'UTC, 0',
  userList: users,
  fsInfo: { disks },
  ...(read.status(vmi).fsFreezeStatus === 'frozen' ? { fsFreezeStatus: 'frozen' } : {}),
}))

export const guestUsers: SubHandler = fromAgent(() => ({ metadata: {}, items: users }))

export const guestDisks: SubHandler = fromAgent(() => ({ metadata: {}, items: disks }))

/** Asks the guest's agent. This family of calls says whatever is wrong in plain text. */
function fromAgent(tell: (vmi: KubeObject) => JsonMap): SubHandler {
  return inPlainText((call) => {
    const vmi = subjectOf(call)
    if (phaseOf(vmi) !== 'Running') throw deny.conflict(call.subject, 'VMI is not running')
    if (!isTrue(vmi, 'AgentConnected')) throw deny.conflict(call.subject, 'VMI does not have guest agent connected')
    return { status: 200, body: tell(vmi) }
  })
}

function inPlainText(handler: SubHandler): SubHandler {
  return (call: SubCall): Answer => {
    try {
      return handler(call)
    } catch (error) {
      if (error instanceof ApiError) return plain(500, error.message)
      throw error
    }
  }
}
