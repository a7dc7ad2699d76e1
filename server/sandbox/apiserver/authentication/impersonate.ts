import { type IncomingMessage } from 'node:http'
import { type ResourceAttributes, decoded } from '../authorization/attributes.ts'
import { mustBeAllowed } from '../authorization/must-be-allowed.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { accountGroups, accountOf } from './account.ts'
import { type Identity, withEverybody } from '../../objects/identity.ts'

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Who a request is to count as: who sent it, or somebody else when the sender may speak for them.
 */
export function impersonated(store: Store, sender: Identity, request: IncomingMessage): Identity {
  const asked = askedIn(request)
  if (!asked) return sender
  for (const what of neededFor(asked)) {
    mustBeAllowed(store, sender, {
      verb: 'impersonate',
      group: '',
      subresource: '',
      namespace: '',
      ...what,
    })
  }
  const { user, groups, uid, extra } = asked
  const account = accountOf(user)
  const own = groups.length === 0 && account ? accountGroups(account.namespace) : groups
  const more = {
    ...(uid === undefined ? {} : { uid }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
  return withEverybody({ name: user, groups: own, ...more })
}

type Needed = Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>

/** Each part of whom somebody speaks for is a right of its own. */
function neededFor({ user, groups, uid, extra }: Asked): Needed[] {
  const account = accountOf(user)
  const group = 'authentication.k8s.io'
  const told = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => ({ group, resource: 'userextras', subresource, name })),
  )
  return [
    account ? { resource: 'serviceaccounts', ...account } : { resource: 'users', name: user },
    ...groups.map((name) => ({ resource: 'groups', name })),
    ...told,
    ...(uid === undefined ? [] : [{ group, resource: 'uids', name: uid }]),
  ]
}

interface Asked {
  user: string
  groups: readonly string[]
  uid: string | undefined
  extra: Record<string, readonly string[]>
}

function askedIn({ headersDistinct: headers }: IncomingMessage): Asked | null {
  const names = Object.keys(headers).filter((name) => name.startsWith(prefix))
  if (names.length === 0) return null
  const [user = ''] = headers['impersonate-user'] ?? []
  if (user === '')
    throw refuse.internal(`requested ${JSON.stringify(names)} without impersonating a user`)
  const extras = names.filter((name) => name.startsWith(extraPrefix))
  const extra = extras.map(
    (name) => [decoded(name.slice(extraPrefix.length)), headers[name] ?? []] as const,
  )
  const [uid] = headers['impersonate-uid'] ?? []
  return { user, groups: headers['impersonate-group'] ?? [], uid, extra: Object.fromEntries(extra) }
}
