/* The names under which a service account acts as a user, and the groups of that user. */

export interface AccountName {
  namespace: string
  name: string
}

const accountPrefix = 'system:serviceaccount:'

export const accountUser = ({ namespace, name }: AccountName): string =>
  `${accountPrefix}${namespace}:${name}`

/** Returns the service account that a user name denotes. Null for other users. */
export function accountOf(user: string): AccountName | null {
  const [namespace, name, ...more] = user.startsWith(accountPrefix)
    ? user.slice(accountPrefix.length).split(':')
    : []
  return namespace !== undefined && name !== undefined && more.length === 0
    ? { namespace, name }
    : null
}

export const accountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
]
