import { mustNotEscalate } from './authorization/escalation.ts'
import { type Registry, registry } from '../kinds/registry.ts'
import { type Admittance, type Resource, apiVersionOf, resourceName } from '../objects/resource.ts'
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

interface Asked {
  old: KubeObject | null
  object: KubeObject
  user: Identity
  dryRun: boolean
  subresource?: string | undefined
  /** Collects what the webhooks have to say to the client; nobody listens where it is left out. */
  warnings?: string[] | undefined
}

/**
 * The way of a written object through an API server: the webhooks that may change it, then its
 * schema and the rules of its kind, then the webhooks that only look. The object as it may be
 * stored, or the refusal of the first that refuses.
 */
export function admitted(store: Store, resource: Resource, asked: Asked): KubeObject {
  const admittance: Admittance = {
    resource,
    ...asked,
    warn: (text) => void asked.warnings?.push(`299 - ${JSON.stringify(text)}`),
    get: (kind, namespace, name) => store.get(store.registry.named(kind), namespace, name),
    list: (kind, namespace) => store.list(store.registry.named(kind), namespace),
    kindOf: (apiVersion, kind) => kindOf(store.registry, apiVersion, kind),
  }
  const changed = resource.hooks.admit?.(admittance) ?? asked.object
  const object = withDefaultLimits({ ...admittance, object: changed })
  const causes = objectCauses(resource, object, asked.old)
  if (causes.length > 0) throw invalidObject(resource, object.metadata.name, causes)
  mustFollowPolicies({ ...admittance, object })
  resource.hooks.review?.({ ...admittance, object })
  mustNotEscalate(store, { ...admittance, object })
  if (resource.namespaced) mustFitNamespace(store, { ...admittance, object })
  return object
}

function kindOf(
  { all }: Registry,
  apiVersion: string,
  kind: string,
): ReturnType<Admittance['kindOf']> {
  const found = all.find((each) => each.kind === kind && apiVersionOf(each) === apiVersion)
  return found ? { called: resourceName(found), namespaced: found.namespaced } : null
}

/**
 * What the namespace asks of everything in it; what it leaves comes last, so that nothing that is
 * refused anyway is counted.
 */
function mustFitNamespace(store: Store, admittance: Admittance): void {
  mustBeSecure(admittance)
  mustFitLimits(admittance)
  mustFitQuotas(admittance, (quota, status) => charge(store, quota, status))
}

function charge(store: Store, old: KubeObject, status: JsonMap): void {
  const quotas = registry.named('resourcequotas')
  const next = { ...old, status }
  const manager = { name: 'kube-apiserver', operation: 'Update' as const, subresource: 'status' }
  const managedFields = ownersAfterUpdate(quotas, { old, next, manager })
  store.put(quotas, { ...next, metadata: { ...next.metadata, managedFields } })
}
