import { type WorkKey } from '../../engine/model/work-key.ts'
import { isIsoVolume } from '../../domain/vm-template/iso-volume.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Source } from '../../engine/reconcile/sources.ts'
import { type KeyReader } from '../../store/store.ts'

/**
 * Once a minute every template that is imported, and every volume of one: what a worker made that
 * was paused beyond the end of the import, or of the template, is found by its volume alone. Use
 * cases ring for what they ask; a reconciler's own writes need no second look.
 */
export function templateSource(rows: KeyReader<WorkKey>): Source {
  return {
    changes: {},
    objects: {},
    async *everything({ dataVolume }) {
      yield* keyPages((after) => rows.page(after))
      const volumes = [...dataVolume.all()].filter(({ name }) => isIsoVolume(name))
      yield await rows.of(volumes.flatMap(({ rowId }) => rowId ?? []))
    },
  }
}
