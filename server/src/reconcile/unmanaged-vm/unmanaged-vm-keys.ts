import { type ChangedObject, type KnownObject } from '../../engine/kube/watch/watch.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'
import { isId } from '../../runtime/ids.ts'
import { type UnmanagedVmKey } from '../../store/unmanaged-vm/unmanaged-vm-keys.ts'
import { type SourceParts } from '../source-parts.ts'

type Versions = ReadonlyMap<string, string>

/**
 * Enqueues a tenant when a VM of another client changes in its namespace. A full pass also finds
 * VMs that have the labels of Berth and no row. Nothing here calls the cluster.
 */
export function unmanagedVmSource({
  workKeys: { unmanaged_vm: tenants, vm: vms },
}: SourceParts<'unmanaged_vm' | 'vm'>): Source {
  const unmanagedIn = async (
    { vm }: ObservedCluster,
    isIncluded: (object: KnownObject) => boolean = () => true,
  ): Promise<ReadonlyMap<string, Versions>> => {
    const owned = [...vm.all()].filter(isIncluded)
    return byNamespace([...[...vm.foreign()].filter(isIncluded), ...(await withoutRow(owned))])
  }
  const withoutRow = async (owned: readonly KnownObject[]): Promise<KnownObject[]> => {
    const ids = owned.flatMap(({ rowId }) => (rowId !== null && isId(rowId) ? [rowId] : []))
    const rows = ids.length === 0 ? [] : await vms.of([...new Set(ids)])
    const objects = new Map(rows.map((row) => [row.objectId, `${row.namespace}/${row.name}`]))
    return owned.filter(
      ({ rowId, namespace, name }) => objects.get(rowId ?? '') !== `${namespace ?? ''}/${name}`,
    )
  }
  return {
    changes: {},
    objects: { vm: namespaceOf },
    async filter(keys, observed) {
      if (!observed.vm.isSynced()) return []
      const ids = keys.flatMap(({ objectId: name }) => {
        const tenantId = observed.namespace.at({ namespace: null, name })?.tenantId
        return tenantId && isId(tenantId) ? [tenantId] : []
      })
      if (ids.length === 0) return []
      const namespaces = new Set<string | null>(keys.map(({ objectId }) => objectId))
      const found = await unmanagedIn(observed, ({ namespace }) => namespaces.has(namespace))
      return (await tenants.of(ids)).filter((key) => differs(key, found))
    },
    async *allKeys(observed) {
      if (!observed.vm.isSynced()) return
      const found = await unmanagedIn(observed)
      for await (const keys of keyPages((after) => tenants.page(after)))
        yield keys.filter((key) => differs(key, found))
    },
  }
}

/** A watch event names a namespace. The filter replaces it by the tenant. */
const namespaceOf = ({ namespace, rowId }: ChangedObject): WorkKey[] =>
  rowId === null && namespace !== null
    ? [{ kind: 'unmanaged_vm', objectId: namespace, tenantId: '' }]
    : []

function byNamespace(objects: readonly KnownObject[]): ReadonlyMap<string, Versions> {
  const grouped = Map.groupBy(objects, ({ namespace }) => namespace ?? '')
  return new Map(
    [...grouped].map(([namespace, all]) => [
      namespace,
      new Map(all.map(({ name, version }) => [name, version])),
    ]),
  )
}

function differs(
  { namespace, recorded }: UnmanagedVmKey,
  found: ReadonlyMap<string, Versions>,
): boolean {
  const versions: Versions = found.get(namespace) ?? new Map()
  const before = Object.entries(recorded)
  return (
    before.length !== versions.size ||
    before.some(([name, version]) => versions.get(name) !== version)
  )
}
