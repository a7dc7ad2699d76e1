import { clock } from '../clock.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { component } from '../objects/identity.ts'
import { type DeleteOptions, removeObject } from '../apiserver/delete.ts'
import { type Resource } from '../objects/resource.ts'
import { type Store } from '../apiserver/storage/store.ts'
import { storeNew } from '../apiserver/create.ts'
import { isFinished } from '../apiserver/lifecycle.ts'

/*
 * Functions for controllers that write to the store directly, such as garbage collection. Their
 * writes pass the same admission as those of a client.
 */

const background: DeleteOptions = {
  policy: 'Background',
  dryRun: false,
  uid: '',
  version: '',
  graceSeconds: null,
}

/** Creates the object unless one of that name exists. */
export function ensureObject(store: Store, resource: Resource, object: KubeObject): void {
  if (store.get(resource, object.metadata.namespace, object.metadata.name)) return
  storeNew(store, resource, {
    object,
    owners: () => [],
    user: component('system:kube-controller-manager'),
    options: { dryRun: false },
  })
}

export const deleteInBackground = (
  store: Store,
  resource: Resource,
  object: KubeObject,
): KubeObject | null => removeObject(store, resource, { object, options: background })

/** Stores the changed object, or removes it when the change released the last finalizer. */
export function putOrFinish(
  store: Store,
  resource: Resource,
  { old, next }: { old: KubeObject; next: KubeObject },
): void {
  if (isFinished(next)) store.remove(resource, old)
  else store.put(resource, next)
}

/** Returns a condition of an object's status with the present time. */
export const condition = (
  type: string,
  status: 'True' | 'False',
  { reason, message }: { reason: string; message: string },
): JsonMap => ({
  type,
  status,
  lastTransitionTime: clock.timestamp(),
  reason,
  message,
})
