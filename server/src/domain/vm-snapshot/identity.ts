import { invalid } from '../../engine/model/name.ts'
import { type GuestSystem } from '../vm-template/vm-template.ts'
import { messageOf } from '../../engine/model/message.ts'

export const identityChoices = ['keep', 'renew'] as const
export type IdentityChoice = (typeof identityChoices)[number]

type IdentityPart = 'mac' | 'ip' | 'hostname' | 'machineId' | 'hostKeys'

/** What a copy of a machine takes over of who that was. */
export type Identity = Readonly<Record<IdentityPart, IdentityChoice>>
type AskedIdentity = Partial<Record<IdentityPart, IdentityChoice | null>>

/**
 * The choices, as far as they can be kept: all is new unless said otherwise, so that no two
 * machines are taken for one.
 */
export function requireIdentity(
  asked: AskedIdentity | null | undefined,
  osType: GuestSystem,
): Identity {
  const chosen = (part: IdentityPart): IdentityChoice => asked?.[part] ?? 'renew'
  const inside = ['hostname', 'machineId', 'hostKeys'] as const
  if (osType === 'windows' && inside.some((part) => chosen(part) === 'renew'))
    throw invalid('identity', messageOf('vm_snapshot.windows_identity'))
  const wired = { mac: chosen('mac'), ip: chosen('ip') }
  return {
    ...wired,
    hostname: chosen('hostname'),
    machineId: chosen('machineId'),
    hostKeys: chosen('hostKeys'),
  }
}
