import { isDeepStrictEqual } from 'node:util'
import { type Cause } from '../../objects/cause.ts'
import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { strategyOf } from '../../objects/vms/power.ts'
import { cause } from '../refusals.ts'

/** A VM refuses some changes while a snapshot or a restore of it is in progress. */
export function lockCauses(old: KubeObject, object: KubeObject): Cause[] {
  const { snapshotInProgress, restoreInProgress } = read.status(object)
  const snapshot = JSON.stringify(snapshotInProgress)
  if (snapshotInProgress !== undefined) {
    if (!isDeepStrictEqual(volumesOf(old), volumesOf(object)))
      return [
        cause.unsupported(
          'spec',
          `Cannot update vm disks or volumes until snapshot ${snapshot} completes`,
        ),
      ]
    if (!isAsPowered(read.spec(old), read.spec(object)))
      return [
        cause.unsupported(
          'spec',
          `Cannot update vm running state until snapshot ${snapshot} completes`,
        ),
      ]
  }
  if (restoreInProgress === undefined || strategyOf(old) === strategyOf(object)) return []
  return [
    cause.unsupported(
      'spec',
      `Cannot update VM runStrategy until restore ${JSON.stringify(restoreInProgress)} completes`,
    ),
  ]
}

const volumesOf = (vm: KubeObject): JsonMap[] =>
  read.maps(read.at(vm.spec, 'template', 'spec', 'volumes'))

/** True when neither power field changed. A switch from one field to the other is a change. */
function isAsPowered(old: JsonMap, next: JsonMap): boolean {
  if (old.running !== undefined && next.running !== undefined) return old.running === next.running
  return old.runStrategy !== undefined && old.runStrategy === next.runStrategy
}
