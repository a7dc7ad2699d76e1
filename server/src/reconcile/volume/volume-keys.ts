import { keyOfObject, rowSource } from '../../engine/reconcile/row-source.ts'
import { type Source } from '../../engine/reconcile/sources.ts'
import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { isVolume, volumeName } from '../../domain/volume/object-names.ts'
import { isVmSnapshot, vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { isSnapshot, snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type KeyReader } from '../../store/store.ts'
import { type SourceParts } from '../source-parts.ts'
import { type ObservedKey } from '../../store/volume/volume-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'

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
  rows: KeyReader<ObservedKey>
}

export const volumeSource = ({ workKeys: { volume: rows } }: SourceParts<'volume'>): Source =>
  sourceOf({
    kind: 'volume',
    isOne: isVolume,
    nameOf: volumeName,
    versionKind: 'volume',
    leftoverKind: 'dataVolume',
    rows,
  })

export const volumeSnapshotSource = ({
  workKeys: { volume_snapshot: rows },
}: SourceParts<'volume_snapshot'>): Source =>
  sourceOf({
    kind: 'volume_snapshot',
    isOne: isSnapshot,
    nameOf: snapshotName,
    versionKind: 'volumeSnapshot',
    leftoverKind: 'volumeSnapshot',
    rows,
  })

export const vmSnapshotSource = ({
  workKeys: { vm_snapshot: rows },
}: SourceParts<'vm_snapshot'>): Source =>
  sourceOf({
    kind: 'vm_snapshot',
    isOne: isVmSnapshot,
    nameOf: vmSnapshotName,
    versionKind: 'vmSnapshot',
    leftoverKind: 'vmSnapshot',
    rows,
  })

/**
 * Enqueues a row when its object changes. A full pass each minute skips rows that match the desired
 * and the recorded state.
 */
function sourceOf({ kind, isOne, nameOf, versionKind, leftoverKind, rows }: WatchedNoun): Source {
  const keysOf = (object: ChangedObject): WorkKey[] =>
    isOne(object.name) ? keyOfObject(kind, object) : []
  return rowSource({
    rows,
    objects: { [versionKind]: keysOf, [leftoverKind]: keysOf },
    needsReconcile({ namespace, objectId, ...key }, observed) {
      const reference = { namespace, name: nameOf(objectId) }
      if (key.isGone) return observed[leftoverKind].at(reference)?.rowId === objectId
      const watch = observed[versionKind]
      // Before the first list, no object counts as missing.
      return (
        !key.isSettled ||
        (watch.isSynced() && (watch.at(reference)?.version ?? null) !== key.observedVersion)
      )
    },
    ownersOf: (observed) =>
      [...observed[leftoverKind].all()].filter(({ name }) => isOne(name)).map(({ rowId }) => rowId),
  })
}
