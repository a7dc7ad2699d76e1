import { mustNotEscalate } from './authorization/escalation.ts'
import { type Registry, registry } from '../kinds/registry.ts'
import {
  type WebhookRequest,
  type Resource,
  apiVersionOf,
  resourceName,
} from '../objects/resource.ts'
import { type Identity } from '../objects/identity.ts'
import { type Store } from './storage/store.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { ownersAfterUpdate } from './patches/managed-fields.ts'
import { invalidObject } from '../objects/status.ts'
import { objectCauses } from './validate.ts'
import { mustFitLimits, withDefaultLimits } from '../admission/namespace/limit-range.ts'
import { mustBeSecure } from '../admission/namespace/pod-security.ts'
import { mustFitQuotas } from '../admission/namespace/quota.ts'
import { mustFollowPolicies } from '../admission/policies/policies.ts'

interface AdmissionRequest {
  old: KubeObject | null
  object: KubeObject
  user: Identity
  dryRun: boolean
  subresource?: string | undefined
  /** Collects the warnings of the webhooks. Warnings are dropped when this is absent. */
  warnings?: string[] | undefined
}

/**
 * Runs the admission chain of an API server: mutating webhooks, schema and validation of the kind,
 * validating webhooks. Returns the object to store, or throws the first refusal.
 */
export function admitObject(
  store: Store,
  resource: Resource,
  request: AdmissionRequest,
): KubeObject {
  const webhookRequest: WebhookRequest = {
    resource,
    ...request,
    warn: (text) => void request.warnings?.push(`299 - ${JSON.stringify(text)}`),
    get: (kind, namespace, name) => store.get(store.registry.named(kind), namespace, name),
    list: (kind, namespace) => store.list(store.registry.named(kind), namespace),
    kindOf: (apiVersion, kind) => kindOf(store.registry, apiVersion, kind),
  }
  const changed = resource.hooks.admit?.(webhookRequest) ?? request.object
  const object = withDefaultLimits({ ...webhookRequest, object: changed })
  const causes = objectCauses(resource, object, request.old)
  if (causes.length > 0) throw invalidObject(resource, object.metadata.name, causes)
  mustFollowPolicies({ ...webhookRequest, object })
  resource.hooks.review?.({ ...webhookRequest, object })
  mustNotEscalate(store, { ...webhookRequest, object })
  if (resource.namespaced) mustFitNamespace(store, { ...webhookRequest, object })
  return object
}

function kindOf(
  { all }: Registry,
  apiVersion: string,
  kind: string,
): ReturnType<WebhookRequest['kindOf']> {
  const match = all.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion)
  return match ? { called: resourceName(match), namespaced: match.namespaced } : null
}

/**
 * Enforces the policies of the namespace. The quota comes last, so that a refused object is not
 * charged.
 */
function mustFitNamespace(store: Store, request: WebhookRequest): void {
  mustBeSecure(request)
  mustFitLimits(request)
  mustFitQuotas(request, (quota, status) => chargeQuota(store, quota, status))
}

function chargeQuota(store: Store, old: KubeObject, status: JsonMap): void {
  const quotas = registry.named('resourcequotas')
  const next = { ...old, status }
  const manager = { name: 'kube-apiserver', operation: 'Update' as const, subresource: 'status' }
  const managedFields = ownersAfterUpdate(quotas, { old, next, manager })
  store.put(quotas, { ...next, metadata: { ...next.metadata, managedFields } })
}
