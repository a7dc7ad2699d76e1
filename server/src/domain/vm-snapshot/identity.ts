import { invalid } from '../../engine/model/name.ts'
import { type GuestSystem } from '../vm-template/vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

export const identityChoices = ['keep', 'renew'] as const
export type IdentityChoice = (typeof identityChoices)[number]

type IdentityPart = 'mac' | 'ip' | 'hostname' | 'machineId' | 'hostKeys'

/** The parts of a VM's identity that a clone keeps or renews. */
export type Identity = Readonly<Record<IdentityPart, IdentityChoice>>
type IdentityRequest = Partial<Record<IdentityPart, IdentityChoice | null>>

/**
 * Validates the choices. All parts are renewed by default, so that two VMs are not mistaken for
 * each other.
 */
export function requireIdentity(
  request: IdentityRequest | null | undefined,
  osType: GuestSystem,
): Identity {
  const chosen = (part: IdentityPart): IdentityChoice => request?.[part] ?? 'renew'
  const guestParts = ['hostname', 'machineId', 'hostKeys'] as const
  if (osType === 'windows' && guestParts.some((part) => chosen(part) === 'renew'))
    throw invalid('identity', messageOf('vm_snapshot.windows_identity'))
  const nicChoices = { mac: chosen('mac'), ip: chosen('ip') }
  return {
    ...nicChoices,
    hostname: chosen('hostname'),
    machineId: chosen('machineId'),
    hostKeys: chosen('hostKeys'),
  }
}
