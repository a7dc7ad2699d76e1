import { type ChangedObject } from '../../engine/kube/watch/watch.ts'
import { isVolume, volumeName } from '../../domain/volume/parts.ts'
import { isVmSnapshot, vmSnapshotName } from '../../domain/vm-snapshot/vm-snapshot.ts'
import { isSnapshot, snapshotName } from '../../domain/volume-snapshot/volume-snapshot.ts'
import { type KeyPage } from '../../engine/database/sql/key-page.ts'
import { type KeyReader } from '../../store/store.ts'
import { type SeenKey } from '../../store/volume/volume-keys.ts'
import { type WorkKey } from '../../engine/model/work-key.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Sight, type Source } from '../../engine/reconcile/sources.ts'

/** A noun whose rows have one object each that tells whether anything was news. */
interface Seen {
  kind: 'volume' | 'volume_snapshot' | 'vm_snapshot'
  isOne: (name: string) => boolean
  nameOf: (id: string) => string
  /** Whose version the rows remember. */
  told: 'volume' | 'volumeSnapshot' | 'vmSnapshot'
  /** What is left of a row that is gone. */
  left: 'dataVolume' | 'volumeSnapshot' | 'vmSnapshot'
  page: (after: string | null) => Promise<KeyPage<SeenKey>>
  keysOf: (ids: readonly string[]) => Promise<SeenKey[]>
}

export const volumeSource = (rows: KeyReader<SeenKey>): Source =>
  sourceOf({
    kind: 'volume',
    isOne: isVolume,
    nameOf: volumeName,
    told: 'volume',
    left: 'dataVolume',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

export const volumeSnapshotSource = (rows: KeyReader<SeenKey>): Source =>
  sourceOf({
    kind: 'volume_snapshot',
    isOne: isSnapshot,
    nameOf: snapshotName,
    told: 'volumeSnapshot',
    left: 'volumeSnapshot',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

export const vmSnapshotSource = (rows: KeyReader<SeenKey>): Source =>
  sourceOf({
    kind: 'vm_snapshot',
    isOne: isVmSnapshot,
    nameOf: vmSnapshotName,
    told: 'vmSnapshot',
    left: 'vmSnapshot',
    page: (after) => rows.page(after),
    keysOf: (ids) => rows.of(ids),
  })

/**
 * One is looked at when what is behind it changes in the cluster, and once a minute where it is not
 * as it was asked, or as it was seen. What a worker that was paused meanwhile made of a row that is
 * gone is found by its name.
 */
function sourceOf(seen: Seen): Source {
  const { told, left, page, keysOf } = seen
  const touched = (object: ChangedObject): WorkKey[] => keyOf(seen, object)
  return {
    changes: {},
    objects: { [told]: touched, [left]: touched },
    async sift(keys, sight) {
      return restless(seen, await keysOf(keys.map(({ objectId }) => objectId)), sight)
    },
    async *everything(sight) {
      const known = new Set<string>()
      for await (const keys of keyPages(page)) {
        for (const { objectId } of keys) known.add(objectId)
        yield restless(seen, keys, sight)
      }
      const strays = [...sight[left].all()]
        .flatMap((object) => keyOf(seen, object))
        .filter(({ objectId }) => !known.has(objectId))
      yield restless(seen, await keysOf(strays.map(({ objectId }) => objectId)), sight)
    },
  }
}

const keyOf = ({ kind, isOne }: Seen, { name, tenantId, rowId }: ChangedObject): WorkKey[] =>
  tenantId === null || rowId === null || !isOne(name) ? [] : [{ kind, objectId: rowId, tenantId }]

function restless({ told, left, nameOf }: Seen, keys: readonly SeenKey[], sight: Sight): SeenKey[] {
  const at = (noun: keyof Sight, { namespace, objectId }: SeenKey) =>
    sight[noun].at({ namespace, name: nameOf(objectId) })
  // Before the first list nothing is known to be missing.
  const isNews = (key: SeenKey): boolean =>
    sight[told].isSynced() && (at(told, key)?.version ?? null) !== key.seenVersion
  const isLeft = (key: SeenKey): boolean => at(left, key)?.rowId === key.objectId
  return keys.filter((key) => (key.isGone ? isLeft(key) : !key.isSettled || isNews(key)))
}
