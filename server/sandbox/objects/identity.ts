/** Who somebody is, after the question whether that is true. */
export interface Identity {
  name: string
  /** Of a service account: which one of all that ever had its name. */
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** May do everything, whatever roles say. */
export const masters = 'system:masters'
const authenticated = 'system:authenticated'
const unauthenticated = 'system:unauthenticated'

export const anonymous: Identity = { name: 'system:anonymous', groups: [unauthenticated] }

/** A part of the cluster itself. */
export const component = (name: string): Identity => ({ name, groups: [masters, authenticated] })

/** Everybody is in one of two groups, also those of whom only a part was told. */
export function withEverybody(identity: Identity): Identity {
  const { name, groups } = identity
  if (groups.includes(authenticated) || groups.includes(unauthenticated)) return identity
  return {
    ...identity,
    groups: [...groups, name === anonymous.name ? unauthenticated : authenticated],
  }
}
