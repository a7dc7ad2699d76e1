import { type KubeObject, isMap } from '../objects/types.ts'

/** True when the object is marked for deletion and has no finalizers left. */
export function isFinished(object: KubeObject): boolean {
  if (
    object.metadata.deletionTimestamp === undefined ||
    (object.metadata.finalizers ?? []).length > 0
  )
    return false
  // The kubelet sets the grace period of a pod to zero when its containers have ended.
  if (object.kind === 'Pod' && (object.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  const finalizers = object.kind === 'Namespace' && isMap(object.spec) ? object.spec.finalizers : []
  return !Array.isArray(finalizers) || finalizers.length === 0
}
