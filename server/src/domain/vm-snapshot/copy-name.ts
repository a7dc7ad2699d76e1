import { Fault } from '../../engine/model/fault.ts'
import { nameShape } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const { maxLength } = nameShape

/** Returns the name of the copy of a volume in a cloned VM. Refuses a name that is too long. */
export function copyNameOf(former: string, vmName: string): string {
  const name = nameWith(former, vmName)
  if (name.length <= maxLength) return name
  if (nameWith(former, 'a').length > maxLength)
    throw new Fault('wrong_state', messageOf('vm_snapshot.copy_name_always_too_long', { former }))
  throw new Fault('invalid_input', messageOf('vm_snapshot.copy_name_too_long', { former, name }))
}

const nameWith = (former: string, vmName: string): string => `${vmName}-${former}`
