import { mustNotEscalate } from './authorization/escalation.ts'
import { registry } from './registry.ts'
import { type Admittance, type Resource } from './resource.ts'
import { type Identity } from './authentication/identity.ts'
import { type Store } from './store.ts'
import { type KubeObject } from './types.ts'
import { invalidObject } from './status.ts'
import { objectCauses } from './validate.ts'
import { mustFitLimits, withDefaultLimits } from '../admission/namespace/limit-range.ts'
import { mustBeSecure } from '../admission/namespace/pod-security.ts'
import { mustFitQuotas } from '../admission/namespace/quota.ts'

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
 * The way of a written object through an API server: the webhooks that may change it, then its schema and the rules of its kind, then the webhooks
 * that only look. The object as it may be stored, or the refusal of the first that refuses.
 */
export function admitted(store: Store, resource: Resource, asked: Asked): KubeObject {
  const admittance: Admittance = {
    ...{ resource, ...asked },
    warn: (text) => void asked.warnings?.push(`299 - ${JSON.stringify(text)}`),
    get: (kind, namespace, name) => store.get(registry.named(kind), namespace, name),
    list: (kind, namespace) => store.list(registry.named(kind), namespace),
  }
  const changed = resource.hooks.admit?.(admittance) ?? asked.object
  const object = withDefaultLimits({ ...admittance, object: changed })
  const causes = objectCauses(resource, object, asked.old)
  if (causes.length > 0) throw invalidObject(resource, object.metadata.name, causes)
  resource.hooks.review?.({ ...admittance, object })
  mustNotEscalate(store, { ...admittance, object })
  if (resource.namespaced) mustFitNamespace({ ...admittance, object })
  return object
}

/** What the namespace asks of everything in it; what it leaves comes last, so that nothing that is refused anyway is counted. */
function mustFitNamespace(admittance: Admittance): void {
  mustBeSecure(admittance)
  mustFitLimits(admittance)
  mustFitQuotas(admittance)
}
