import { type ChangedObject, type KnownObject } from '../../engine/kube/watch/watch.ts'
import { vmObjectNames } from '../../domain/vm/object-names.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmSshKey } from '../../store/vm-ssh/vm-ssh-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/**
 * Enqueues SSH access when its service or endpoint slice differs from the record. The VM reconciler
 * enqueues it when the VM moves.
 */
export function vmSshSource(rows: KeyReader<VmSshKey>): Source {
  return {
    changes: {},
    objects: { service: keysOf, endpointSlice: keysOf },
    async filter(keys, observed) {
      return keysToReconcile(await rows.of(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      const known = new Set<string>()
      for await (const keys of keyPages((after) => rows.page(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield keysToReconcile(keys, observed)
      }
      // A worker that was paused past the end of the VM may have created these objects.
      const strays = [...observed.service.all(), ...observed.endpointSlice.all()].flatMap(
        ({ rowId, name }) =>
          rowId !== null && !known.has(rowId) && name === vmObjectNames.ssh(rowId) ? [rowId] : [],
      )
      yield keysToReconcile(await rows.of([...new Set(strays)]), observed)
    },
  }
}

const keysOf = ({ tenantId, rowId, name }: ChangedObject): WorkKey[] =>
  tenantId !== null && rowId !== null && name === vmObjectNames.ssh(rowId)
    ? [{ kind: 'vm_ssh', objectId: rowId, tenantId }]
    : []

const keysToReconcile = (
  keys: readonly VmSshKey[],
  { service: services, endpointSlice: slices }: ObservedCluster,
): VmSshKey[] =>
  keys.filter(({ objectId, namespace, serviceVersion, sliceVersion, isSettled }) => {
    const reference = { namespace, name: vmObjectNames.ssh(objectId) }
    // Before the first list, no object counts as missing.
    const differs = (
      watch: ObservedCluster[keyof ObservedCluster],
      version: string | null,
    ): boolean => watch.isSynced() && versionOf(watch.at(reference)) !== version
    return !isSettled || differs(services, serviceVersion) || differs(slices, sliceVersion)
  })

const versionOf = (object: KnownObject | null): string | null => object?.version ?? null
