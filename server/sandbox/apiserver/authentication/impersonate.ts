import { type IncomingMessage } from 'node:http'
import { type ResourceAttributes, decoded } from '../authorization/attributes.ts'
import { mustBeAllowed } from '../authorization/must-be-allowed.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { accountGroups, accountOf } from './account.ts'
import { type Identity, withStandardGroups } from '../../objects/identity.ts'

const prefix = 'impersonate-'
const extraPrefix = 'impersonate-extra-'

/**
 * Returns the impersonated user of a request, or the sender when the request does not impersonate.
 * The sender needs permission to impersonate.
 */
export function impersonatedIdentity(
  store: Store,
  sender: Identity,
  request: IncomingMessage,
): Identity {
  const requested = requestedIdentity(request)
  if (!requested) return sender
  for (const attributes of permissionsFor(requested)) {
    mustBeAllowed(store, sender, {
      verb: 'impersonate',
      group: '',
      subresource: '',
      namespace: '',
      ...attributes,
    })
  }
  const { user, groups, uid, extra } = requested
  const account = accountOf(user)
  const own = groups.length === 0 && account ? accountGroups(account.namespace) : groups
  const more = {
    ...(uid === undefined ? {} : { uid }),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  }
  return withStandardGroups({ name: user, groups: own, ...more })
}

type Permission = Pick<ResourceAttributes, 'resource' | 'name'> & Partial<ResourceAttributes>

/** Each part of the impersonated identity needs its own permission. */
function permissionsFor({ user, groups, uid, extra }: RequestedIdentity): Permission[] {
  const account = accountOf(user)
  const group = 'authentication.k8s.io'
  const extraAttributes = Object.entries(extra).flatMap(([subresource, values]) =>
    values.map((name) => ({ group, resource: 'userextras', subresource, name })),
  )
  return [
    account ? { resource: 'serviceaccounts', ...account } : { resource: 'users', name: user },
    ...groups.map((name) => ({ resource: 'groups', name })),
    ...extraAttributes,
    ...(uid === undefined ? [] : [{ group, resource: 'uids', name: uid }]),
  ]
}

interface RequestedIdentity {
  user: string
  groups: readonly string[]
  uid: string | undefined
  extra: Record<string, readonly string[]>
}

function requestedIdentity({
  headersDistinct: headers,
}: IncomingMessage): RequestedIdentity | null {
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
