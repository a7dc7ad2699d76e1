import { registry } from './registry.ts'
import { type Admittance, type Resource } from './resource.ts'
import { type Store } from './store.ts'
import { type KubeObject } from './types.ts'

interface Asked {
  old: KubeObject | null
  object: KubeObject
  user: string
  dryRun: boolean
}

/** Puts the object to the rules of its kind's component, as an API server asks webhooks; the object as it may be stored. */
export function admitted(store: Store, resource: Resource, { old, object, user, dryRun }: Asked): KubeObject {
  if (!resource.hooks.admit) return object
  const admittance: Admittance = {
    ...{ resource, object, old, user, dryRun },
    get: (kind, namespace, name) => store.get(registry.named(kind), namespace, name),
    list: (kind, namespace) => store.list(registry.named(kind), namespace),
  }
  return resource.hooks.admit(admittance)
}
