import { keyOfObject, rowSource } from '../../engine/reconcile/row-source.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { ownVolumes } from '../../domain/vm/object-names.ts'
import { type SourceParts } from '../source-parts.ts'
import { type VmKey } from '../../store/vm/vm-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'
import { versionOf } from './vm-status.ts'

/**
 * Enqueues a VM when one of its objects changes. A full pass each minute compares all VMs with the
 * watch caches, and skips those that match their records.
 */
export const vmSource = ({ workKeys: { vm: rows } }: SourceParts<'vm'>): Source =>
  rowSource({
    rows,
    objects: {
      vm: keysOf,
      instance: keysOf,
      dataVolume: (object) =>
        keysOf(object).filter(({ objectId }) => volumesOf(objectId).includes(object.name)),
    },
    needsReconcile: (key, observed) =>
      key.isGone ? isLeft(key, observed) : !key.isSettled || hasChanged(key, observed),
    ownersOf: ({ vm, dataVolume }) => [...vm.all(), ...dataVolume.all()].map(({ rowId }) => rowId),
  })

/**
 * Lists all volumes that a VM may have. A key does not tell from which source the VM was created.
 */
const volumesOf = (id: string): string[] => ownVolumes({ id }, { hasIso: true })

const keysOf = (object: ChangedObject): WorkKey[] => keyOfObject('vm', object)

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
