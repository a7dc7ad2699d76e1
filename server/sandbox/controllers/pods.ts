import { type KubeObject } from '../objects/types.ts'
import { read } from '../objects/read.ts'
import { indexed } from './store-index.ts'

const nodeOf = (pod: KubeObject): string => read.text(read.spec(pod).nodeName)

export const isPodOver = (pod: KubeObject): boolean =>
  ['Succeeded', 'Failed'].includes(read.text(read.status(pod).phase))

/**
 * Waits for a node: there is none yet, no other scheduler is to find one, and it is not on its way
 * out.
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

/** How pods are found by who cares for them. */
export const pods = {
  ownedBy: indexed('pods', ({ metadata }) =>
    (metadata.ownerReferences ?? []).map(({ uid }) => uid),
  ),
  onNode: indexed('pods', (pod) => [nodeOf(pod)].filter((name) => name !== '')),
  /** By namespace and name of the claim. */
  usingClaim: indexed('pods', claimsOf),
  waitingIn: indexed('pods', (pod) =>
    isWaitingPod(pod) ? [anywhere, pod.metadata.namespace ?? ''] : [],
  ),
}

/** Instead of a namespace: all of them. No namespace is called so. */
export const anywhere = '*'
