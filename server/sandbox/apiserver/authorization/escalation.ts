import { isDeepStrictEqual } from 'node:util'
import { masters } from '../../objects/identity.ts'
import { registry } from '../../kinds/registry.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { type Store } from '../storage/store.ts'
import { dig } from '../../objects/dig.ts'
import { type KubeObject } from '../../objects/types.ts'
import { type Authorizer, authorizerOf } from './authorizer.ts'
import { missingPermissions, quoted } from './missing-permissions.ts'
import { type Rule, everything, rulesOf } from './rules.ts'

const group = 'rbac.authorization.k8s.io'

/**
 * Refuses a user who grants permissions that they do not hold, unless they may `escalate` or
 * `bind`.
 */
export function mustNotEscalate(store: Store, request: WebhookRequest): void {
  const { resource, object, old, user } = request
  if (
    resource.group !== group ||
    user.groups.includes(masters) ||
    (old !== null && hasSameContent(old, object))
  )
    return
  const authority = authorizerOf(store)
  if (resource.plural.endsWith('roles')) mayGiveRules(authority, request)
  else mayBind(authority, request)
}

/**
 * True when only metadata other than labels and annotations changed. The garbage collector needs
 * such updates.
 */
function hasSameContent(old: KubeObject, object: KubeObject): boolean {
  const contentOf = ({ metadata: { labels, annotations }, ...rest }: KubeObject): unknown => ({
    ...rest,
    labels,
    annotations,
  })
  return isDeepStrictEqual(contentOf(old), contentOf(object))
}

function mayGiveRules(authority: Authorizer, request: WebhookRequest): void {
  const { resource, object, old, user } = request
  const attributes = {
    verb: 'escalate',
    group,
    resource: resource.plural,
    subresource: '',
    namespace: object.metadata.namespace ?? '',
  }
  if (authority.decide(user, { ...attributes, name: old ? object.metadata.name : '' }).allowed)
    return
  mustHold(authority, request, rulesOf(object))
  if (
    object.aggregationRule === undefined ||
    missingPermissions(authority.rulesFor(user, '').rules, everything).length === 0
  )
    return
  throw refuse.forbidden(resource, object.metadata.name, {
    text: 'must have cluster-admin privileges to use the aggregationRule',
  })
}

function mayBind(authority: Authorizer, request: WebhookRequest): void {
  const { object, user } = request
  const [kind, name] = [dig.text(object, 'roleRef.kind'), dig.text(object, 'roleRef.name')]
  const resource = `${kind.toLowerCase()}s`
  const attributes = {
    verb: 'bind',
    group,
    resource,
    subresource: '',
    namespace: object.metadata.namespace ?? '',
    name,
  }
  if (authority.decide(user, attributes).allowed) return
  const role = authority.roleOf(object)
  if (!role) throw refuse.notFound(registry.named(`${resource}.${group}`), name)
  mustHold(authority, request, rulesOf(role))
}

function mustHold(
  authority: Authorizer,
  { resource, object, user }: WebhookRequest,
  requested: readonly Rule[],
): void {
  const { rules, missing } = authority.rulesFor(user, object.metadata.namespace ?? '')
  const tooMuch = missingPermissions(rules, requested)
  if (tooMuch.length === 0) return
  const who = `user ${JSON.stringify(user.name)} (groups=${quoted(user.groups)})`
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${tooMuch.join('\n')}`
  throw refuse.forbidden(resource, object.metadata.name, {
    text: missing === '' ? why : `${why}; resolution errors: [${missing}]`,
  })
}
