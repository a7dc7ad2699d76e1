import { Fault } from '../fault.ts'
import { invalid } from '../name.ts'
import { type VmState } from './state.ts'
import { type Power } from './vm.ts'

const mostTags = 50
const mostTagLength = 64
const mostPassword = 256

export function requireTags(tags: readonly string[] | null | undefined): string[] {
  const wanted = [...new Set((tags ?? []).map((tag) => tag.trim()).filter((tag) => tag !== ''))]
  if (wanted.length > mostTags) throw invalid('tags', `must be at most ${mostTags}`)
  if (wanted.some((tag) => tag.length > mostTagLength)) throw invalid('tags', `must be at most ${mostTagLength} characters each`)
  return wanted
}

/** Null where none is asked for: nobody gets a password by default. */
export function requireGuestPassword(password: string | null | undefined): string | null {
  if (password === null || password === undefined || password === '') return null
  if (password.length < 8) throw invalid('cloudInitPassword', 'must have at least 8 characters')
  if (password.length > mostPassword || /[\r\n]/.test(password))
    throw invalid('cloudInitPassword', `must be one line of at most ${mostPassword} characters`)
  return password
}

interface Ruled {
  name: string
  state: VmState
  wantedPower: Power
  deleting: boolean
  deleteProtection: boolean
}

export type VmAction = 'start' | 'stop' | 'delete'

/** Why the action is refused now, in words for a user; null when it is allowed. */
export function vmRefusal(action: VmAction, { name, state, wantedPower, deleting, deleteProtection }: Ruled): Fault | null {
  const wrong = (why: string): Fault => new Fault('wrong_state', `VM ${name} ${why}.`)
  if (action === 'delete')
    return deleteProtection && !deleting ? wrong('is protected from deletion; switch the protection off first') : null
  if (deleting) return wrong('is being deleted')
  if (state === 'Lost') return wrong('was removed outside of this platform; delete it here as well')
  if (action === 'start' && wantedPower === 'on' && state === 'Running') return wrong('is running already')
  if (action === 'stop' && wantedPower === 'off' && state === 'Stopped') return wrong('is stopped already')
  return null
}

export function mustAllow(action: VmAction, vm: Ruled): void {
  const refusal = vmRefusal(action, vm)
  if (refusal) throw refusal
}
