import { type Identity } from '../../objects/identity.ts'
import { type ApiError, refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { type Attributes } from './attributes.ts'
import { authorizerOf } from './authorizer.ts'

/** Returns when the user is allowed. Otherwise throws the Forbidden error of Kubernetes. */
export function mustBeAllowed(store: Store, user: Identity, attributes: Attributes): void {
  const { allowed, reason } = authorizerOf(store).decide(user, attributes)
  if (!allowed) throw forbidden(user, attributes, reason)
}

function forbidden(
  { name: user }: Identity,
  attributes: Attributes,
  reason: string | undefined,
): ApiError {
  const tail = reason === undefined ? '' : `: ${reason}`
  if ('path' in attributes) return refuse.pathForbidden(user, attributes, tail)
  const { verb, group, resource, subresource, namespace, name } = attributes
  const full = subresource === '' ? resource : `${resource}/${subresource}`
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  const text = `User "${user}" cannot ${verb} resource "${full}" in API group "${group}" ${where}${tail}`
  return refuse.forbidden({ group, plural: resource }, name, { text })
}
