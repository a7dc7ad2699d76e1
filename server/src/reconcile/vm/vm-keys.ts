import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { ownVolumes } from '../../domain/vm/object-names.ts'
import { type KeyReader } from '../../store/store.ts'
import { type VmKey } from '../../store/vm/vm-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'
import { versionOf } from './vm-status.ts'

/**
 * Enqueues a VM when one of its objects changes. A full pass each minute compares all VMs with the
 * watch caches, and skips those that match their records.
 */
export function vmSource(rows: KeyReader<VmKey>): Source {
  return {
    changes: {},
    objects: {
      vm: keysOf,
      instance: keysOf,
      dataVolume: (object) =>
        keysOf(object).filter(({ objectId }) => volumesOf(objectId).includes(object.name)),
    },
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
      const strays = new Set(
        [...observed.vm.all(), ...observed.dataVolume.all()].flatMap(({ rowId }) =>
          rowId && !known.has(rowId) ? [rowId] : [],
        ),
      )
      yield keysToReconcile(await rows.of([...strays]), observed)
    },
  }
}

/**
 * Lists all volumes that a VM may have. A key does not tell from which source the VM was created.
 */
const volumesOf = (id: string): string[] => ownVolumes(id, { hasIso: true })

const keysOf = ({ tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null ? [] : [{ kind: 'vm', objectId: rowId, tenantId }]

const keysToReconcile = (keys: readonly VmKey[], observed: ObservedCluster): VmKey[] =>
  keys.filter((key) =>
    key.isGone ? isLeft(key, observed) : !key.isSettled || hasChanged(key, observed),
  )

function hasChanged(key: VmKey, { vm, instance }: ObservedCluster): boolean {
  if (!vm.isSynced() || !instance.isSynced()) return false
  const version = vm.at(key)?.version
  return (
    key.observedVersion !==
    (version === undefined
      ? null
      : versionOf({ version, vmiVersion: instance.at(key)?.version ?? null }))
  )
}

function isLeft(
  { objectId, namespace, name }: VmKey,
  { vm, dataVolume }: ObservedCluster,
): boolean {
  const leftovers = [
    vm.at({ namespace, name }),
    ...volumesOf(objectId).map((volume) => dataVolume.at({ namespace, name: volume })),
  ]
  return leftovers.some((object) => object?.rowId === objectId)
}
