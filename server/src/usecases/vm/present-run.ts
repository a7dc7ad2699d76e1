import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Returns the UID of the current VMI, at which the request is aimed. */
export function presentRun({ name, runUid }: { name: string; runUid?: string | null }): string {
  if (!runUid) throw new Fault('wrong_state', messageOf('vm.silent', { name }))
  return runUid
}
