import { type CelMap, type CelValue, celValue } from '../../cel/cel.ts'
import { selects } from '../../objects/label-selector.ts'
import { type WebhookRequest } from '../../objects/resource.ts'
import { refuse } from '../../objects/status.ts'
import { dig } from '../../objects/dig.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { type Verdict, evaluatePolicy } from './evaluate-policy.ts'

const policies = 'validatingadmissionpolicies.admissionregistration.k8s.io'
const bindings = 'validatingadmissionpolicybindings.admissionregistration.k8s.io'

/**
 * Applies the ValidatingAdmissionPolicies that are bound to the object. Throws the first denial.
 * Policies do not apply to subresources here.
 */
export function mustFollowPolicies(request: WebhookRequest): void {
  if (
    request.subresource !== undefined ||
    request.resource.group === 'admissionregistration.k8s.io'
  )
    return
  let known: CelMap | undefined
  for (const binding of request.list(bindings)) {
    const policy = request.get(policies, undefined, dig.text(binding, 'spec.policyName'))
    if (
      !policy ||
      !concerns(policy, 'spec.matchConstraints', request) ||
      !concerns(binding, 'spec.matchResources', request)
    )
      continue
    known ??= knownOf(request)
    const verdict = verdictOf(request, { policy, binding, known })
    if (verdict) reportDenial(request, { policy, binding, verdict })
  }
}

function concerns(holder: KubeObject, path: string, request: WebhookRequest): boolean {
  const match = dig.any(holder, path)
  if (match === undefined) return true
  const namespace = namespaceOf(request)
  const { namespaceSelector = {}, objectSelector = {} } = dig.map(holder, path)
  if (namespace && !selects(namespaceSelector, namespace)) return false
  if (!selects(objectSelector, request.object)) return false
  const rules = dig.list(match, 'resourceRules')
  const isNamed = (rule: Json): boolean => names(rule, request)
  return (
    (rules.length === 0 || rules.some(isNamed)) &&
    !dig.list(match, 'excludeResourceRules').some(isNamed)
  )
}

/** True when the rule covers the request. Other API versions are converted, so any version fits. */
function names(rule: Json, { resource, old }: WebhookRequest): boolean {
  const has = (list: string, value: string): boolean =>
    dig.texts(rule, list).some((each) => each === '*' || each === value)
  return (
    has('operations', old ? 'UPDATE' : 'CREATE') &&
    has('apiGroups', resource.group) &&
    has('resources', resource.plural)
  )
}

const namespaceOf = ({ resource, object, get }: WebhookRequest): KubeObject | undefined =>
  resource.namespaced ? get('namespaces', undefined, object.metadata.namespace ?? '') : undefined

/** Returns the variables that are the same for all policies and parameters. */
const knownOf = (request: WebhookRequest): CelMap => ({
  object: celValue(request.object),
  oldObject: celValue(request.old),
  namespaceObject: celValue(namespaceOf(request) ?? null),
  request: celValue(requestOf(request)),
})

interface BoundPolicy {
  policy: KubeObject
  binding: KubeObject
  known: CelMap
}

function verdictOf(
  request: WebhookRequest,
  { policy, binding, known }: BoundPolicy,
): Verdict | null {
  const params = paramsOf(request, policy, binding)
  if (params.length === 0 && dig.text(binding, 'spec.paramRef.parameterNotFoundAction') === 'Deny')
    return {
      message:
        'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
      reason: 'Invalid',
    }
  for (const each of params) {
    const verdict = evaluatePolicy(policy, { ...known, params: parameterValue(each) })
    if (verdict) return verdict
  }
  return null
}

/** Parameter objects by version. A stored object never changes in place, so each converts once. */
const parameterValues = new WeakMap<KubeObject, CelValue>()

function parameterValue(params: KubeObject | null): CelValue {
  if (!params) return null
  const value = parameterValues.get(params) ?? celValue(params)
  parameterValues.set(params, value)
  return value
}

function requestOf({ resource, object, old, user, dryRun }: WebhookRequest): JsonMap {
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

/** Returns the parameter objects, or one null when the policy has no parameters. */
function paramsOf(
  request: WebhookRequest,
  policy: KubeObject,
  binding: KubeObject,
): (KubeObject | null)[] {
  const kind = dig.any(policy, 'spec.paramKind')
  if (kind === undefined) return [null]
  const resource = request.kindOf(dig.text(kind, 'apiVersion'), dig.text(kind, 'kind'))
  if (!resource) return []
  return paramObjects(request, resource, dig.map(binding, 'spec.paramRef'))
}

function paramObjects(
  request: WebhookRequest,
  resource: NonNullable<ReturnType<WebhookRequest['kindOf']>>,
  ref: JsonMap,
): KubeObject[] {
  const { name, namespace = request.object.metadata.namespace, selector = {} } = ref
  const lookupNamespace =
    resource.namespaced && typeof namespace === 'string' ? namespace : undefined
  if (typeof name === 'string' && name !== '')
    return [request.get(resource.called, lookupNamespace, name)].filter(
      (each) => each !== undefined,
    )
  return request.list(resource.called, lookupNamespace).filter((each) => selects(selector, each))
}

interface Denial {
  policy: KubeObject
  binding: KubeObject
  verdict: Verdict
}

function reportDenial(
  { resource, object, warn }: WebhookRequest,
  { policy, binding, verdict }: Denial,
): void {
  const by = `ValidatingAdmissionPolicy '${policy.metadata.name}' with binding '${binding.metadata.name}'`
  const actions = dig.texts(binding, 'spec.validationActions')
  if (actions.includes('Warn')) warn(`Validation failed for ${by}: ${verdict.message}`)
  if (actions.includes('Deny'))
    throw refuse.byPolicy(resource, object.metadata.name, {
      message: `${by} denied request: ${verdict.message}`,
      reason: verdict.reason,
    })
}
