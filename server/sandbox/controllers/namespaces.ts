import { type Json, type JsonMap, type KubeObject, isMap } from '../apiserver/types.ts'
import { registry } from '../apiserver/registry.ts'
import { type Resource, resourceName } from '../apiserver/resource.ts'
import { type Store } from '../apiserver/store.ts'
import { Debounced } from './debounced.ts'
import { condition, deleteInBackground, ensureObject, putOrFinish } from './system.ts'

const delayMs = 20
const namespaces = registry.named('namespaces')
const initial = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Empties and releases deleted namespaces. */
export function runNamespaceController(store: Store): () => void {
  for (const name of initial) ensureObject(store, namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const pass = new Debounced(delayMs, () => {
    for (const namespace of store.list(namespaces)) {
      if (namespace.metadata.deletionTimestamp !== undefined) terminate(store, namespace)
    }
  })
  // Only what can move a namespace on: its own changes, and the end of something inside.
  const unsubscribe = registry.all.map((resource) =>
    store.subscribe(resource, (event) => {
      if (resource === namespaces || event.type === 'DELETED') pass.ask()
    }),
  )
  pass.ask()
  return () => {
    pass.stop()
    for (const stop of unsubscribe) stop()
  }
}

interface Remainder {
  resource: Resource
  objects: KubeObject[]
}

function terminate(store: Store, namespace: KubeObject): void {
  const remaining: Remainder[] = []
  for (const resource of registry.all.filter((each) => each.namespaced)) {
    const objects = store.list(resource, namespace.metadata.name)
    const held = objects.filter((object) => deleteInBackground(store, resource, object) !== null)
    if (held.length > 0) remaining.push({ resource, objects: held })
  }
  const current = store.get(namespaces, undefined, namespace.metadata.name)
  if (!current) return
  if (remaining.length > 0) report(store, current, remaining)
  else release(store, current)
}

function release(store: Store, namespace: KubeObject): void {
  const { finalizers: all, ...rest } = isMap(namespace.spec) ? namespace.spec : {}
  const known = Array.isArray(all) ? all : []
  const finalizers = known.filter((name) => name !== 'kubernetes')
  if (finalizers.length === known.length) return
  putOrFinish(store, namespaces, { old: namespace, next: { ...namespace, spec: finalizers.length > 0 ? { ...rest, finalizers } : rest } })
}

function report(store: Store, namespace: KubeObject, remaining: readonly Remainder[]): void {
  const conditions = conditionsOf(remaining)
  const status = isMap(namespace.status) ? namespace.status : {}
  const texts = (list: readonly Json[]): string => JSON.stringify(list.map((each) => (isMap(each) ? [each.type, each.message] : null)))
  // Unchanged words must not become a write, or the write would call this controller again for ever.
  if (texts(Array.isArray(status.conditions) ? status.conditions : []) === texts(conditions)) return
  store.put(namespaces, { ...namespace, status: { ...status, conditions } })
}

function conditionsOf(remaining: readonly Remainder[]): JsonMap[] {
  const counts = remaining.map(({ resource, objects }) => `${resourceLabel(resource)} has ${objects.length} resource instances`)
  const holds = new Map<string, number>()
  for (const name of remaining.flatMap(({ objects }) => objects.flatMap((object) => object.metadata.finalizers ?? []))) {
    holds.set(name, (holds.get(name) ?? 0) + 1)
  }
  const held = [...holds].map(([name, count]) => `${name} in ${count} resource instances`)
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
    condition('NamespaceContentRemaining', 'True', {
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${counts.join(', ')}`,
    }),
    condition('NamespaceFinalizersRemaining', 'True', {
      reason: 'SomeFinalizersRemain',
      message: `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
    }),
  ]
}

/** The group is always set off by a dot, also when it is empty. */
const resourceLabel = (resource: Resource): string => (resource.group === '' ? `${resource.plural}.` : resourceName(resource))
