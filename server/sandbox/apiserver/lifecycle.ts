import { type KubeObject, isMap } from '../objects/types.ts'

/** Deleted, and nobody holds it any more. */
export function isFinished(object: KubeObject): boolean {
  if (
    object.metadata.deletionTimestamp === undefined ||
    (object.metadata.finalizers ?? []).length > 0
  )
    return false
  // Its kubelet says when a pod has ended, by taking the last of its time.
  if (object.kind === 'Pod' && (object.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  const finalizers = object.kind === 'Namespace' && isMap(object.spec) ? object.spec.finalizers : []
  return !Array.isArray(finalizers) || finalizers.length === 0
}
