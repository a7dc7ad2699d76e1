export const vmSshRefusals = ['port_taken', 'not_possible'] as const
/** Why the cluster does not give the port: somebody has it, or it gives none. */
export type VmSshRefusal = (typeof vmSshRefusals)[number]

export const sshRefusalSentence = (refusal: VmSshRefusal | null, port: number | null): string =>
  refusal === 'port_taken'
    ? `Port ${port ?? ''} of the platform is taken already; ask for another one, or for any that is free.`
    : 'The platform gives no port for SSH; ask the operator.'
