import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** The run that somebody means who asks now. */
export function presentRun({ name, runUid }: { name: string; runUid?: string | null }): string {
  if (!runUid) throw new Fault('wrong_state', messageOf('vm.silent', { name }))
  return runUid
}
