import { type Json, type JsonMap, isMap } from '../types.ts'
import { type Answer, type Call } from '../request.ts'
import { objectInBody } from '../body.ts'
import { writeOptions } from '../options.ts'
import { invalid, refuse } from '../status.ts'
import { dig } from '../tables/dig.ts'
import { type Attributes, type Subject, may, subjectOf } from './may.ts'

/** Answers a question about rights. */
export function answerReview(call: Call): Answer {
  const { object, warnings } = objectInBody(call, writeOptions(call.query, 'CreateOptions'))
  const spec = isMap(object.spec) ? object.spec : {}
  const { apiVersion, kind } = object
  const told = kind === 'SelfSubjectRulesReview' ? rules(call, spec) : { spec, status: verdict(call, spec) }
  return { status: 201, body: JSON.stringify({ kind, apiVersion, metadata: metadataOf(call), ...told }), warnings }
}

const metadataOf = ({ namespace }: Call): JsonMap => (namespace === undefined ? {} : { namespace })

function verdict(call: Call, spec: JsonMap): JsonMap {
  const isOwn = call.resource.kind === 'SelfSubjectAccessReview'
  const subject = isOwn ? subjectOf(call.user) : namedSubject(spec)
  const { allowed, reason } = may(subject, attributesIn(call, spec))
  return { allowed, ...(reason === undefined ? {} : { reason }) }
}

function namedSubject(spec: JsonMap): Subject {
  const [user, groups] = [dig.text(spec, 'user'), dig.texts(spec, 'groups')]
  if (user !== '' || groups.length > 0) return { user, groups }
  throw wrong('spec.user', '"": at least one of user or group must be specified')
}

function attributesIn(call: Call, spec: JsonMap): Attributes {
  const { resourceAttributes: resource, nonResourceAttributes: other } = spec
  if (isMap(resource) === isMap(other)) {
    const value = isMap(resource) ? JSON.stringify(resource) : 'null'
    throw wrong('spec.resourceAttributes', `${value}: exactly one of nonResourceAttributes or resourceAttributes must be specified`)
  }
  const verb = dig.text(isMap(resource) ? resource : other, 'verb')
  if (!isMap(resource)) return { verb, path: dig.text(other, 'path') }
  const namespace = dig.text(resource, 'namespace')
  if (call.namespace !== undefined && call.namespace !== namespace) {
    throw wrong('spec.resourceAttributes.namespace', `${JSON.stringify(namespace)}: must match metadata.namespace`)
  }
  const part = (name: string): string => dig.text(resource, name)
  return { verb, namespace, group: part('group'), resource: part('resource'), subresource: part('subresource'), name: part('name') }
}

const wrong = (field: string, why: string): Error =>
  invalid({ kind: '', group: 'authorization.k8s.io', label: '.authorization.k8s.io' }, '', [
    { reason: 'FieldValueInvalid', message: `Invalid value: ${why}`, field },
  ])

/** All that somebody may do in a namespace. Without roles that is everything or nothing. */
function rules(call: Call, spec: JsonMap): { spec: JsonMap; status: JsonMap } {
  if (dig.text(spec, 'namespace') === '') throw refuse.badRequest('no namespace on request')
  const { allowed } = may(subjectOf(call.user), { verb: '*', path: '*' })
  const everything = (rule: JsonMap): Json[] => (allowed ? [{ verbs: ['*'], ...rule }] : [])
  const resourceRules = everything({ apiGroups: ['*'], resources: ['*'] })
  return { spec: {}, status: { resourceRules, nonResourceRules: everything({ nonResourceURLs: ['*'] }), incomplete: false } }
}
