import { type Message, messageOf } from '../../engine/model/message.ts'

export const vmSshRefusals = ['port_taken', 'not_possible'] as const
/** Reasons why the cluster refuses the node port: it is in use, or the cluster offers no ports. */
export type VmSshRefusal = (typeof vmSshRefusals)[number]

/** Says why SSH access to a VM does not work: the cluster refused its node port. */
export const sshRefusalSentence = (refusal: VmSshRefusal | null, port: number | null): Message =>
  refusal === 'port_taken'
    ? messageOf('ssh.port_taken', { port: port ?? '' })
    : messageOf('ssh.no_ports')
