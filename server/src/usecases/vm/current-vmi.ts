import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** Returns the UID of the current VMI, at which the request is aimed. */
export function currentVmiUid({ name, vmiUid }: { name: string; vmiUid?: string | null }): string {
  if (!vmiUid) throw new Fault('wrong_state', messageOf('vm.silent', { name }))
  return vmiUid
}
