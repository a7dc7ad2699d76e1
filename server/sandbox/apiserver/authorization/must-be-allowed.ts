import { type Identity } from '../../objects/identity.ts'
import { type ApiError, refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { type Attributes } from './attributes.ts'
import { authorityOf } from './authority.ts'

/** Goes on when somebody may do it; otherwise it is the refusal that every client knows. */
export function mustBeAllowed(store: Store, who: Identity, asked: Attributes): void {
  const { allowed, reason } = authorityOf(store).verdict(who, asked)
  if (!allowed) throw forbidden(who, asked, reason)
}

function forbidden(
  { name: user }: Identity,
  asked: Attributes,
  reason: string | undefined,
): ApiError {
  const tail = reason === undefined ? '' : `: ${reason}`
  if ('path' in asked) return refuse.pathForbidden(user, asked, tail)
  const { verb, group, resource, subresource, namespace, name } = asked
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const text = `User "${user}" cannot ${verb} resource "${full}" in API group "${group}" ${where}${tail}`
  return refuse.forbidden({ group, plural: resource }, name, { text })
}
