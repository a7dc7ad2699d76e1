import { type KubeObject } from '../../objects/types.ts'
import { type Controller, ownKey } from '../controller.ts'
import { hasFinalizer, isDeleted } from '../finalizers.ts'
import { pods } from '../pods.ts'
import { read } from '../../objects/read.ts'
import { claimNamesOf } from '../../objects/storage/claim.ts'
import { names } from '../../objects/storage/names.ts'

/** Keeps the finalizer of a deleted PVC while a pod on a node that has not ended uses the PVC. */
export const claimProtection: Controller = {
  name: 'pvc-protection-controller',
  sources: [
    { kind: names.claims, keysOf: (object) => (isDeleted(object) ? ownKey(object) : []) },
    {
      kind: 'pods',
      keysOf: (pod) =>
        claimNamesOf(pod).map((name) => ({ namespace: pod.metadata.namespace, name })),
    },
  ],
  reconcile(client, { namespace, name }) {
    const object = client.get(names.claims, namespace, name)
    if (!object || !isDeleted(object) || !hasFinalizer(object, names.claimProtection))
      return undefined
    const isUsed = pods.usingClaim(client, `${namespace}/${name}`).some(usesClaims)
    if (!isUsed) client.release(names.claims, object, names.claimProtection)
    return undefined
  },
}

/** True when the pod uses its PVCs. A pod without a node does not. */
function usesClaims(pod: KubeObject): boolean {
  const { phase } = read.status(pod)
  return read.spec(pod).nodeName !== undefined && phase !== 'Succeeded' && phase !== 'Failed'
}
