/** An authenticated user or service account. */
export interface Identity {
  name: string
  /** The UID of a service account, which distinguishes accounts that had the same name. */
  uid?: string
  groups: readonly string[]
  extra?: Readonly<Record<string, readonly string[]>>
}

/** The group that may do everything, without RBAC. */
export const masters = 'system:masters'
const authenticated = 'system:authenticated'
const unauthenticated = 'system:unauthenticated'

export const anonymous: Identity = { name: 'system:anonymous', groups: [unauthenticated] }

/** The identity of a component of the cluster. */
export const component = (name: string): Identity => ({ name, groups: [masters, authenticated] })

/** Adds `system:authenticated` or `system:unauthenticated`, also to an impersonated user. */
export function withStandardGroups(identity: Identity): Identity {
  const { name, groups } = identity
  if (groups.includes(authenticated) || groups.includes(unauthenticated)) return identity
  return {
    ...identity,
    groups: [...groups, name === anonymous.name ? unauthenticated : authenticated],
  }
}
