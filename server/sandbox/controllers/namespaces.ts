import { type Json, type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { registry } from '../kinds/registry.ts'
import { type Resource, resourceName } from '../objects/resource.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { clock } from '../clock.ts'
import { type Pace } from '../pace.ts'
import { Debounced } from './debounced.ts'
import { condition, deleteInBackground, ensureObject, putOrFinish } from './system.ts'

const delayMs = 20
const namespaces = registry.named('namespaces')
const pods = registry.named('pods')
const initial = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/**
 * Deletes the contents of terminating namespaces: pods first, everything else in a pass after the
 * pods are gone. Then releases the namespace.
 */
export function runNamespaceController(store: Store, pace: Pick<Pace, 'msOf'>): () => void {
  for (const name of initial)
    ensureObject(store, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  /** Namespaces that wait for their pods, with the timers of their next pass. */
  const waiting = new Map<string, () => void>()
  const wait = (name: string): void => {
    const cancel = clock.after(pace.msOf('namespaceRetry'), () => {
      waiting.delete(name)
      pass.trigger()
    })
    waiting.set(name, cancel)
  }
  const pass = new Debounced(delayMs, () => {
    const due = store
      .list(namespaces)
      .filter(
        ({ metadata }) => metadata.deletionTimestamp !== undefined && !waiting.has(metadata.name),
      )
    for (const namespace of due)
      if (terminate(store, namespace) === 'hasPods') wait(namespace.metadata.name)
  })
  // Only two events can advance a namespace: a change of its own, and the deletion of an object
  // inside.
  const unsubscribe = store.registry.all.map((resource) =>
    store.subscribe(resource, (event) => {
      if (resource === namespaces || event.type === 'DELETED') pass.trigger()
    }),
  )
  pass.trigger()
  return () => {
    pass.stop()
    for (const cancel of waiting.values()) cancel()
    for (const stop of unsubscribe) stop()
  }
}

interface Remainder {
  resource: Resource
  objects: KubeObject[]
}

function terminate(store: Store, namespace: KubeObject): 'hasPods' | 'looked' {
  const running = store
    .list(pods, namespace.metadata.name)
    .filter((pod) => deleteInBackground(store, pods, pod) !== null)
  if (running.length > 0) {
    // Other contents are not inspected while pods remain, so no remaining objects are reported.
    reportTo(store, namespace, [])
    return 'hasPods'
  }
  const remaining: Remainder[] = []
  for (const resource of store.registry.all.filter((each) => each.namespaced)) {
    const objects = store.list(resource, namespace.metadata.name)
    const blocked = objects.filter((object) => deleteInBackground(store, resource, object) !== null)
    if (blocked.length > 0) remaining.push({ resource, objects: blocked })
  }
  // A namespace that reported conditions before gets a final update.
  const hadConditions = isMap(namespace.status) && namespace.status.conditions !== undefined
  if (remaining.length > 0 || hadConditions) reportTo(store, namespace, remaining)
  const current = store.get(namespaces, undefined, namespace.metadata.name)
  if (current && remaining.length === 0) release(store, current)
  return 'looked'
}

function release(store: Store, namespace: KubeObject): void {
  const { finalizers: all, ...rest } = isMap(namespace.spec) ? namespace.spec : {}
  const known = Array.isArray(all) ? all : []
  const finalizers = known.filter((name) => name !== 'kubernetes')
  if (finalizers.length === known.length) return
  putOrFinish(store, namespaces, {
    old: namespace,
    next: { ...namespace, spec: finalizers.length > 0 ? { ...rest, finalizers } : rest },
  })
}

function reportTo(
  store: Store,
  { metadata: { name } }: KubeObject,
  remaining: readonly Remainder[],
): void {
  const namespace = store.get(namespaces, undefined, name)
  if (!namespace) return
  const conditions = conditionsOf(remaining)
  const status = isMap(namespace.status) ? namespace.status : {}
  const texts = (list: readonly Json[]): string =>
    JSON.stringify(list.map((each) => (isMap(each) ? [each.type, each.message] : null)))
  // An unchanged status must not be written: the write would trigger this controller forever.
  if (texts(Array.isArray(status.conditions) ? status.conditions : []) === texts(conditions)) return
  store.put(namespaces, { ...namespace, status: { ...status, conditions } })
}

function conditionsOf(remaining: readonly Remainder[]): JsonMap[] {
  const counts = remaining.map(
    ({ resource, objects }) =>
      `${resourceLabel(resource)} has ${objects.length} resource instances`,
  )
  const finalizerCounts = new Map<string, number>()
  for (const name of remaining.flatMap(({ objects }) =>
    objects.flatMap((object) => object.metadata.finalizers ?? []),
  )) {
    finalizerCounts.set(name, (finalizerCounts.get(name) ?? 0) + 1)
  }
  const finalizerTexts = [...finalizerCounts].map(
    ([name, count]) => `${name} in ${count} resource instances`,
  )
  return [
    condition('NamespaceDeletionDiscoveryFailure', 'False', {
      reason: 'ResourcesDiscovered',
      message: 'All resources successfully discovered',
    }),
    condition('NamespaceDeletionGroupVersionParsingFailure', 'False', {
      reason: 'ParsedGroupVersions',
      message: 'All legacy kube types successfully parsed',
    }),
    condition('NamespaceDeletionContentFailure', 'False', {
      reason: 'ContentDeleted',
      message: 'All content successfully deleted, may be waiting on finalization',
    }),
    counts.length === 0
      ? condition('NamespaceContentRemaining', 'False', {
          reason: 'ContentRemoved',
          message: 'All content successfully removed',
        })
      : condition('NamespaceContentRemaining', 'True', {
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${counts.join(', ')}`,
        }),
    finalizerTexts.length === 0
      ? condition('NamespaceFinalizersRemaining', 'False', {
          reason: 'ContentHasNoFinalizers',
          message: 'All content-preserving finalizers finished',
        })
      : condition('NamespaceFinalizersRemaining', 'True', {
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${finalizerTexts.join(', ')}`,
        }),
  ]
}

/** Kubernetes separates the group with a dot, even when it is empty. */
const resourceLabel = (resource: Resource): string =>
  resource.group === '' ? `${resource.plural}.` : resourceName(resource)
