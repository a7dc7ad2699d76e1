import { isIsoVolume } from '../../domain/vm-template/iso-volume.ts'
import { keyPages } from '../../engine/reconcile/key-pages.ts'
import { type Source } from '../../engine/reconcile/sources.ts'
import { type SourceParts } from '../source-parts.ts'

/**
 * Enqueues every imported template and every template volume once a minute. A worker that was
 * paused past the end of the import or template may have created a volume. Only that volume reveals
 * it. Use cases enqueue their own changes, and the reconciler's own writes need no second pass.
 */
export function vmTemplateSource({
  workKeys: { vm_template: rows },
}: SourceParts<'vm_template'>): Source {
  return {
    changes: {},
    objects: {},
    async *allKeys({ dataVolume }) {
      yield* keyPages((after) => rows.page(after))
      const volumes = [...dataVolume.all()].filter(({ name }) => isIsoVolume(name))
      yield await rows.of(volumes.flatMap(({ rowId }) => rowId ?? []))
    },
  }
}
