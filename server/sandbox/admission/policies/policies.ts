import { selects } from '../../objects/label-selector.ts'
import { type Admittance } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Verdict, judged } from './judged.ts'

const policies = 'validatingadmissionpolicies.admissionregistration.k8s.io'
const bindings = 'validatingadmissionpolicybindings.admissionregistration.k8s.io'

/**
 * Refuses what a policy refuses that is bound to the object; the first that does is told. Parts of
 * objects are nobody's business here.
 */
export function mustFollowPolicies(asked: Admittance): void {
  if (asked.subresource !== undefined || asked.resource.group === 'admissionregistration.k8s.io')
    return
  for (const binding of asked.list(bindings)) {
    const policy = asked.get(policies, undefined, dig.text(binding, 'spec.policyName'))
    if (
      !policy ||
      !concerns(policy, 'spec.matchConstraints', asked) ||
      !concerns(binding, 'spec.matchResources', asked)
    )
      continue
    const verdict = verdictOf(asked, policy, binding)
    if (verdict) tell(asked, { policy, binding, verdict })
  }
}

function concerns(holder: KubeObject, path: string, asked: Admittance): boolean {
  const match = dig.any(holder, path)
  if (match === undefined) return true
  const place = namespaceOf(asked)
  const { namespaceSelector = {}, objectSelector = {} } = dig.map(holder, path)
  if (place && !selects(namespaceSelector, place)) return false
  if (!selects(objectSelector, asked.object)) return false
  const rules = dig.list(match, 'resourceRules')
  const isNamed = (rule: Json): boolean => names(rule, asked)
  return (
    (rules.length === 0 || rules.some(isNamed)) &&
    !dig.list(match, 'excludeResourceRules').some(isNamed)
  )
}

/** Other versions of a kind are converted first, so they are not asked for. */
function names(rule: Json, { resource, old }: Admittance): boolean {
  const has = (list: string, value: string): boolean =>
    dig.texts(rule, list).some((each) => each === '*' || each === value)
  return (
    has('operations', old ? 'UPDATE' : 'CREATE') &&
    has('apiGroups', resource.group) &&
    has('resources', resource.plural)
  )
}

const namespaceOf = ({ resource, object, get }: Admittance): KubeObject | undefined =>
  resource.namespaced ? get('namespaces', undefined, object.metadata.namespace ?? '') : undefined

function verdictOf(asked: Admittance, policy: KubeObject, binding: KubeObject): Verdict | null {
  const known = {
    object: asked.object,
    oldObject: asked.old,
    namespaceObject: namespaceOf(asked) ?? null,
    request: requestOf(asked),
  }
  const params = paramsOf(asked, policy, binding)
  if (params.length === 0 && dig.text(binding, 'spec.paramRef.parameterNotFoundAction') === 'Deny')
    return {
      message:
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      reason: 'Invalid',
    }
  for (const each of params) {
    const verdict = judged(policy, { ...known, params: each })
    if (verdict) return verdict
  }
  return null
}

function requestOf({ resource, object, old, user, dryRun }: Admittance): JsonMap {
  const { group, version, plural, kind } = resource
  const { name, namespace = '' } = object.metadata
  return {
    name,
    namespace,
    dryRun,
    operation: old ? 'UPDATE' : 'CREATE',
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    userInfo: { username: user.name, groups: [...user.groups] },
  }
}

/** One of nothing where the policy takes none: it is asked once. */
function paramsOf(
  asked: Admittance,
  policy: KubeObject,
  binding: KubeObject,
): (KubeObject | null)[] {
  const kind = dig.any(policy, 'spec.paramKind')
  if (kind === undefined) return [null]
  const resource = asked.kindOf(dig.text(kind, 'apiVersion'), dig.text(kind, 'kind'))
  if (!resource) return []
  return paramObjects(asked, resource, dig.map(binding, 'spec.paramRef'))
}

function paramObjects(
  asked: Admittance,
  resource: NonNullable<ReturnType<Admittance['kindOf']>>,
  ref: JsonMap,
): KubeObject[] {
  const { name, namespace = asked.object.metadata.namespace, selector = {} } = ref
  const place = resource.namespaced && typeof namespace === 'string' ? namespace : undefined
  if (typeof name === 'string' && name !== '')
    return [asked.get(resource.called, place, name)].filter((each) => each !== undefined)
  return asked.list(resource.called, place).filter((each) => selects(selector, each))
}

interface Told {
  policy: KubeObject
  binding: KubeObject
  verdict: Verdict
}

function tell({ resource, object, warn }: Admittance, { policy, binding, verdict }: Told): void {
  const by = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`
  const actions = dig.texts(binding, 'spec.validationActions')
  if (actions.includes('Warn')) warn(`Validation failed for ${by}: ${verdict.message}`)
  if (actions.includes('Deny'))
    throw refuse.byPolicy(resource, object.metadata.name, {
      message: `${by} denied request: ${verdict.message}`,
      reason: verdict.reason,
    })
}
