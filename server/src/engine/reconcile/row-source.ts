import { type WorkKey } from '../model/work-key.ts'
import { keyPages } from './key-pages.ts'
import { type ObservedCluster, type Source } from './sources.ts'

interface ObservedRows<Key extends WorkKey> extends Partial<Pick<Source, 'changes'>> {
  rows: {
    page(after: string | null): Promise<{ keys: readonly Key[]; after: string | null }>
    /** Returns the keys of these ids, even of rows that are gone. */
    of(ids: readonly string[]): Promise<readonly Key[]>
  }
  objects: Source['objects']
  /** True when the row differs from its objects, or is gone and has an object. */
  needsReconcile: (key: Key, observed: ObservedCluster) => boolean
  /** Lists the row of each object that a worker may have created after a pause. */
  ownersOf?: (observed: ObservedCluster) => readonly (string | null)[]
}

/**
 * Supplies the keys of rows whose objects are watched. It skips the rows that match their objects.
 * A full pass also finds the rows that are gone by the objects that they left behind.
 */
export function rowSource<Key extends WorkKey>({
  rows,
  changes = {},
  objects,
  needsReconcile,
  ownersOf = () => [],
}: ObservedRows<Key>): Source {
  const toReconcile = (keys: readonly Key[], observed: ObservedCluster): Key[] =>
    keys.filter((key) => needsReconcile(key, observed))
  return {
    changes,
    objects,
    async filter(keys, observed) {
      return toReconcile(await rows.of(keys.map(({ objectId }) => objectId)), observed)
    },
    async *allKeys(observed) {
      const known = new Set<string | null>([null])
      for await (const keys of keyPages((after) => rows.page(after))) {
        for (const { objectId } of keys) known.add(objectId)
        yield toReconcile(keys, observed)
      }
      const strays = new Set(ownersOf(observed).filter((id) => id !== null)).difference(known)
      yield toReconcile(await rows.of([...strays]), observed)
    },
  }
}

/** Returns the key of the row that an object belongs to, unless it is of another noun. */
export const keyOfObject = (
  kind: string,
  { tenantId, rowId }: { tenantId: string | null; rowId: string | null },
): WorkKey[] => (tenantId === null || rowId === null ? [] : [{ kind, objectId: rowId, tenantId }])
