/** The name with which a user logs in: `tenant/name`, or the name alone. */
export interface LoginName {
  /** The slug is null for the name alone. */
  tenantSlug: string | null
  username: string
}

/**
 * The number of users whose passwords a login with a name alone tries. It is constant, so that the
 * time of a login does not tell how many users have the name.
 */
export const candidatesPerName = 3

export function loginNameFrom(text: string): LoginName {
  const typed = text.normalize('NFC').trim()
  const end = typed.indexOf('/')
  if (end < 0) return { tenantSlug: null, username: typed }
  return { tenantSlug: typed.slice(0, end).toLowerCase(), username: typed.slice(end + 1) }
}

/** Returns the name that means this user alone. */
export const loginNameOf = (user: { tenantSlug: string; username: string }): string =>
  textOfLoginName(user)

/** Returns the name of a login as a client types it. */
export const textOfLoginName = ({ tenantSlug, username }: LoginName): string =>
  tenantSlug === null ? username : `${tenantSlug}/${username}`
