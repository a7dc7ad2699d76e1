import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { isVolume, volumeName } from '../../domain/volume/object-names.ts'
import { isVmSnapshot, vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { isSnapshot, snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type KeyPage } from '../../engine/database/sql/key-page.ts'
import { type KeyReader } from '../../store/store.ts'
import { type ObservedKey } from '../../store/volume/volume-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type ObservedCluster, type Source } from '../../engine/reconcile/sources.ts'

/*
 * Tells which volumes, volume snapshots and VM snapshots their reconcilers must look at. All three
 * work alike.
 */

/**
 * A noun whose rows have one object each. The version of that object shows whether a row needs a
 * reconcile.
 */
interface WatchedNoun {
  kind: 'volume' | 'volume_snapshot' | 'vm_snapshot'
  isOne: (name: string) => boolean
  nameOf: (id: string) => string
  /** The kind of object whose version the rows remember. */
  versionKind: 'volume' | 'volumeSnapshot' | 'vmSnapshot'
  /** The kind of object that can be left over when the row is gone. */
  leftoverKind: 'dataVolume' | 'volumeSnapshot' | 'vmSnapshot'
  page: (after: string | null) => Promise<KeyPage<ObservedKey>>
  keysOf: (ids: readonly string[]) => Promise<ObservedKey[]>
}

export const volumeSource = (rows: KeyReader<ObservedKey>): Source =>
  sourceOf({
    kind: 'volume',
    isOne: isVolume,
    nameOf: volumeName,
    versionKind: 'volume',
    leftoverKind: 'dataVolume',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

export const volumeSnapshotSource = (rows: KeyReader<ObservedKey>): Source =>
  sourceOf({
    kind: 'volume_snapshot',
    isOne: isSnapshot,
    nameOf: snapshotName,
    versionKind: 'volumeSnapshot',
    leftoverKind: 'volumeSnapshot',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

export const vmSnapshotSource = (rows: KeyReader<ObservedKey>): Source =>
  sourceOf({
    kind: 'vm_snapshot',
    isOne: isVmSnapshot,
    nameOf: vmSnapshotName,
    versionKind: 'vmSnapshot',
    leftoverKind: 'vmSnapshot',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

/**
 * Enqueues a row when its object changes. A full pass each minute skips rows that match the desired
 * and the recorded state. An object that a paused worker created for a gone row is found by its
 * name.
 */
function sourceOf(noun: WatchedNoun): Source {
  const { versionKind, leftoverKind, page, keysOf } = noun
  const keysOfObject = (object: ChangedObject): WorkKey[] => keyOf(noun, object)
  return {
    changes: {},
    objects: { [versionKind]: keysOfObject, [leftoverKind]: keysOfObject },
    async filter(keys, observed) {
      return rowsToReconcile(noun, await keysOf(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      const known = new Set<string>()
      for await (const keys of keyPages(page)) {
        for (const { objectId } of keys) known.add(objectId)
        yield rowsToReconcile(noun, keys, observed)
      }
      const strays = [...observed[leftoverKind].all()]
        .flatMap((object) => keyOf(noun, object))
        .filter(({ objectId }) => !known.has(objectId))
      yield rowsToReconcile(noun, await keysOf(strays.map(({ objectId }) => objectId)), observed)
    },
  }
}

const keyOf = (
  { kind, isOne }: WatchedNoun,
  { name, tenantId, rowId }: ChangedObject,
): WorkKey[] =>
  tenantId === null || rowId === null || !isOne(name) ? [] : [{ kind, objectId: rowId, tenantId }]

function rowsToReconcile(
  { versionKind, leftoverKind, nameOf }: WatchedNoun,
  keys: readonly ObservedKey[],
  observed: ObservedCluster,
): ObservedKey[] {
  const at = (noun: keyof ObservedCluster, { namespace, objectId }: ObservedKey) =>
    observed[noun].at({ namespace, name: nameOf(objectId) })
  // Before the first list, no object counts as missing.
  const hasChanged = (key: ObservedKey): boolean =>
    observed[versionKind].isSynced() &&
    (at(versionKind, key)?.version ?? null) !== key.observedVersion
  const isLeft = (key: ObservedKey): boolean => at(leftoverKind, key)?.rowId === key.objectId
  return keys.filter((key) => (key.isGone ? isLeft(key) : !key.isSettled || hasChanged(key)))
}
