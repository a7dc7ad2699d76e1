import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Answer, type Call } from '../request.ts'
import { objectInBody } from '../requests/body.ts'
import { writeOptions } from '../requests/options.ts'
import { invalid, refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Identity, masters } from '../../objects/identity.ts'
import { selfReview, tokenReview } from '../authentication/reviews.ts'
import { type Attributes } from './attributes.ts'
import { authorizerOf } from './authorizer.ts'
import { type Rule, everything } from './rules.ts'

/** Answers a review of permissions or identities. */
export function answerReview(call: Call): Answer {
  const { object, warnings } = objectInBody(call, writeOptions(call.query, 'CreateOptions'))
  const spec = isMap(object.spec) ? object.spec : {}
  const { apiVersion, kind } = object
  const { metadata = metadataOf(call), ...answer } = answerFor(call, spec)
  return { status: 201, body: JSON.stringify({ kind, apiVersion, metadata, ...answer }), warnings }
}

function answerFor(call: Call, spec: JsonMap): JsonMap {
  const { kind } = call.resource
  if (kind === 'SelfSubjectReview') return selfReview(call)
  if (kind === 'TokenReview') return tokenReview(call, spec)
  return kind === 'SelfSubjectRulesReview'
    ? rules(call, spec)
    : { spec, status: verdict(call, spec) }
}

const metadataOf = ({ namespace }: Call): JsonMap => (namespace === undefined ? {} : { namespace })

function verdict(call: Call, spec: JsonMap): JsonMap {
  const isOwn = call.resource.kind === 'SelfSubjectAccessReview'
  const subject = isOwn ? call.user : namedSubject(spec)
  const { allowed, reason } = authorizerOf(call.store).decide(subject, attributesIn(call, spec))
  return { allowed, ...(reason === undefined ? {} : { reason }) }
}

function namedSubject(spec: JsonMap): Identity {
  const [user, groups] = [dig.text(spec, 'user'), dig.texts(spec, 'groups')]
  if (user !== '' || groups.length > 0) return { name: user, groups }
  throw wrong('spec.user', '"": at least one of user or group must be specified')
}

function attributesIn(call: Call, spec: JsonMap): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec
  if (isMap(resource) === isMap(other)) {
    const value = isMap(resource) ? JSON.stringify(resource) : 'null'
    throw wrong(
      'spec.resourceAttributes',
      `${value}: exactly one of nonResourceAttributes or resourceAttributes must be specified`,
    )
  }
  const verb = dig.text(isMap(resource) ? resource : other, 'verb')
  if (!isMap(resource)) return { verb, path: dig.text(other, 'path') }
  const namespace = dig.text(resource, 'namespace')
  if (call.namespace !== undefined && call.namespace !== namespace) {
    throw wrong(
      'spec.resourceAttributes.namespace',
      `${JSON.stringify(namespace)}: must match metadata.namespace`,
    )
  }
  const part = (name: string): string => dig.text(resource, name)
  return {
    verb,
    namespace,
    group: part('group'),
    resource: part('resource'),
    subresource: part('subresource'),
    name: part('name'),
  }
}

const wrong = (field: string, why: string): Error =>
  invalid({ kind: '', group: 'authorization.k8s.io', label: '.authorization.k8s.io' }, '', [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field },
  ])

/** Returns all rules of the requester in a namespace. */
function rules(call: Call, spec: JsonMap): { spec: JsonMap; status: JsonMap } {
  const namespace = dig.text(spec, 'namespace')
  if (namespace === '') throw refuse.badRequest('no namespace on request')
  const { rules: granted, missing } = authorizerOf(call.store).rulesFor(call.user, namespace)
  const all = call.user.groups.includes(masters) ? [...everything, ...granted] : granted
  const ruleEntry = (each: Rule, ...parts: (keyof Rule)[]): JsonMap =>
    Object.fromEntries(
      parts
        .filter((part) => each[part].length > 0)
        .map((part): [string, Json] => [part, [...each[part]]]),
    )
  return {
    spec: {},
    status: {
      resourceRules: all
        .filter(({ resources }) => resources.length > 0)
        .map((each) => ruleEntry(each, 'verbs', 'apiGroups', 'resources', 'resourceNames')),
      nonResourceRules: all
        .filter(({ nonResourceURLs }) => nonResourceURLs.length > 0)
        .map((each) => ruleEntry(each, 'verbs', 'nonResourceURLs')),
      incomplete: missing !== '',
      ...(missing === '' ? {} : { evaluationError: missing }),
    },
  }
}
