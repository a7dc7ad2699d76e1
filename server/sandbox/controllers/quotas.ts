import { isDeepStrictEqual } from 'node:util'
import { countedKinds, usedOf } from '../admission/namespace/quota.ts'
import { formatAmount } from '../admission/namespace/amount.ts'
import { type Registry } from '../kinds/registry.ts'
import { resourceName } from '../objects/resource.ts'
import { type KubeObject } from '../objects/types.ts'
import { cachesOf } from './caches.ts'
import { type Controller, type Source, ownKey } from './controller.ts'
import { type Client } from './client.ts'
import { read } from '../objects/read.ts'

/**
 * Recounts the usage of a quota. Admission has already charged new objects; the recount corrects
 * the usage after deletions and failed creates.
 *
 * The count reads from informer caches. After the quota is created, they may still contain deleted
 * objects, and replacements are charged on top until the caches catch up.
 */
export const quotas = (registry: Registry): Controller => ({
  name: 'resourcequota-controller',
  sources: [{ kind: 'resourcequotas', keysOf: ownKey }, ...countedSources(registry)],
  reconcile(client, { namespace, name }) {
    const quota = client.get('resourcequotas', namespace, name)
    if (!quota) return undefined
    const hard = read.map(read.spec(quota).hard)
    const kinds = countedKinds(Object.keys(hard), client.world.store.registry)
    const caches = cachesOf(client)
    // A newer object may already be charged, and a count without it would lose the charge.
    const unchargedMs = caches.lagMs(kinds, namespace, Number(quota.metadata.resourceVersion))
    if (unchargedMs > 0) return unchargedMs
    const amounts = usedOf(
      quota,
      (kind) => caches.list(kind, namespace),
      client.world.store.registry,
    )
    const used = Object.fromEntries(
      Object.entries(amounts).map(([each, amount]) => [each, formatAmount(amount)]),
    )
    const status = { hard, used }
    if (!isDeepStrictEqual(read.status(quota), status))
      client.setStatus('resourcequotas', quota, status)
    return caches.lagMs(kinds, namespace) || client.world.pace.msOf('quotaResync')
  },
})

function countedSources({ all }: Registry): Source[] {
  const kinds = all.filter(
    ({ namespaced, plural }) => namespaced && plural !== 'resourcequotas' && plural !== 'events',
  )
  return kinds.map((resource) => ({
    kind: resourceName(resource),
    keysOf: (object, client) => quotasCounting(resourceName(resource), object, client),
  }))
}

const quotasCounting = (
  kind: string,
  { metadata: { namespace } }: KubeObject,
  client: Client,
): ReturnType<typeof ownKey> =>
  client
    .list('resourcequotas', namespace)
    .filter((quota) =>
      countedKinds(
        Object.keys(read.map(read.spec(quota).hard)),
        client.world.store.registry,
      ).includes(kind),
    )
    .flatMap(ownKey)
