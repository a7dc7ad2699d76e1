import { type Message, messageOf } from '../../engine/model/message.ts'

export const vmSshRefusals = ['port_taken', 'not_possible'] as const
/** Why the cluster does not give the port: somebody has it, or it gives none. */
export type VmSshRefusal = (typeof vmSshRefusals)[number]

export const sshRefusalSentence = (refusal: VmSshRefusal | null, port: number | null): Message =>
  refusal === 'port_taken'
    ? messageOf('ssh.port_taken', { port: port ?? '' })
    : messageOf('ssh.no_ports')
