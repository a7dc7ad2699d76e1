import { type ObservedCondition, type ObservedDataVolume } from '../../domain/volume/data-volume.ts'
import { numberAt } from '../vm/conditions.ts'
import { listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { ownerIn } from '../../engine/kube/observed-object.ts'

/** Reads the status of a DataVolume. Fields that a newer cluster omits or adds are no error. */
export function observedDataVolume({ metadata, status }: ApiObject): ObservedDataVolume {
  return {
    uid: metadata.uid,
    rowId: ownerIn(metadata.labels).rowId,
    isDeleting: metadata.deletionTimestamp !== undefined,
    phase: textAt(status, 'phase') ?? '',
    percent: percentIn(textAt(status, 'progress')),
    restarts: numberAt(status, 'restartCount') ?? 0,
    bound: conditionIn(status, 'Bound'),
    running: conditionIn(status, 'Running'),
  }
}

/** CDI reports `N/A` until the progress is known, then `45.23%`. */
function percentIn(text: string | null): number | null {
  const [, number] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text ?? '') ?? []
  return number === undefined ? null : Math.min(Number(number), 100)
}

function conditionIn(status: unknown, type: string): ObservedCondition {
  const condition = listAt(status, 'conditions').find((each) => textAt(each, 'type') === type)
  return {
    isTrue: textAt(condition, 'status') === 'True',
    reason: textAt(condition, 'reason') ?? '',
    message: textAt(condition, 'message') ?? '',
  }
}
