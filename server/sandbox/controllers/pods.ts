import { type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { indexed } from './store-index.ts'

const nodeOf = (pod: KubeObject): string => read.text(read.spec(pod).nodeName)

export const isPodOver = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))

/**
 * True when the default scheduler has to find a node for the pod and the pod is not being deleted.
 */
export const isWaitingPod = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp === undefined &&
  nodeOf(pod) === '' &&
  !isPodOver(pod) &&
  isOfDefault(pod)

const isOfDefault = (pod: KubeObject): boolean =>
  ['', 'default-scheduler'].includes(read.text(read.spec(pod).schedulerName))

const claimsOf = (pod: KubeObject): string[] =>
  read.maps(read.spec(pod).volumes).flatMap((volume) => {
    const name = read.text(read.at(volume.persistentVolumeClaim, 'claimName'))
    return name === '' ? [] : [`${pod.metadata.namespace}/${name}`]
  })

/** Indexes of pods. */
export const pods = {
  ownedBy: indexed('pods', ({ metadata }) =>
    (metadata.ownerReferences ?? []).map(({ uid }) => uid),
  ),
  onNode: indexed('pods', (pod) => [nodeOf(pod)].filter((name) => name !== '')),
  /** Indexed by namespace and name of the PVC. */
  usingClaim: indexed('pods', claimsOf),
  waitingIn: indexed('pods', (pod) =>
    isWaitingPod(pod) ? [allNamespaces, pod.metadata.namespace ?? ''] : [],
  ),
}

/** The index value of all namespaces; it is not a valid namespace name. */
export const allNamespaces = '*'
