import { type ApiKind } from './api-call.ts'
import { ClusterError } from './cluster-error.ts'
import { fieldAt, listAt, textAt, textsAt } from './field-at.ts'
import { type Right } from './rights.ts'
import { type Transport } from './transport.ts'

const authorization = { group: 'authorization.k8s.io', version: 'v1' }

/** The reviews that a cluster answers for every account. */
export const reviewKinds = {
  rules: {
    ...authorization,
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    verbs: ['create'],
  },
  access: {
    ...authorization,
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    verbs: ['create'],
  },
  account: {
    group: 'authentication.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    verbs: ['create'],
  },
} as const satisfies Record<string, ApiKind>

/** A namespace in which Berth is granted nothing by itself, so that only cluster roles count. */
const neutralNamespace = 'default'

/**
 * Returns the rights that the cluster does not grant to the account of the transport. One call
 * lists the granted rules. An authorizer that cannot list its rules is asked for each right that
 * the list lacks.
 */
export async function deniedRights(
  transport: Transport,
  rights: readonly Right[],
): Promise<Right[]> {
  const rules = await review(transport, reviewKinds.rules, { namespace: neutralNamespace })
  const granted = listAt(rules, 'status', 'resourceRules')
  const unlisted = rights.filter((right) => !granted.some((rule) => isGrantedBy(rule, right)))
  if (fieldAt(rules, 'status', 'incomplete') !== true) return unlisted
  const denied: Right[] = []
  for (const right of unlisted) if (!(await isAllowed(transport, right))) denied.push(right)
  return denied
}

/** Returns the name of the account of the transport; null from a cluster before Kubernetes 1.28. */
export async function accountName(transport: Transport): Promise<string | null> {
  try {
    const answer = await review(transport, reviewKinds.account)
    return textAt(answer, 'status', 'userInfo', 'username')
  } catch (error) {
    if (error instanceof ClusterError && error.trouble === 'not_served') return null
    throw error
  }
}

async function isAllowed(
  transport: Transport,
  { verb, group, resource: path }: Right,
): Promise<boolean> {
  const [resource, subresource] = path.split('/')
  const resourceAttributes = { verb, group, resource, ...(subresource ? { subresource } : {}) }
  const answer = await review(transport, reviewKinds.access, { resourceAttributes })
  return fieldAt(answer, 'status', 'allowed') === true
}

async function review(transport: Transport, of: ApiKind, spec?: object): Promise<unknown> {
  const { kind, group, version } = of
  const body = { apiVersion: `${group}/${version}`, kind, ...(spec ? { spec } : {}) }
  return (await transport.call({ method: 'POST', of, body })).body
}

/** A rule for named objects does not count, because Berth chooses the names of its objects. */
function isGrantedBy(rule: unknown, right: Right): boolean {
  const includes = (field: string, ...accepted: string[]): boolean =>
    textsAt(rule, field).some((each) => each === '*' || accepted.includes(each))
  const [, subresource] = right.resource.split('/')
  return (
    textsAt(rule, 'resourceNames').length === 0 &&
    includes('verbs', right.verb) &&
    includes('apiGroups', right.group) &&
    includes('resources', right.resource, ...(subresource ? [`*/${subresource}`] : []))
  )
}
