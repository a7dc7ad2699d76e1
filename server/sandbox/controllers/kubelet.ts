import { createHash } from 'node:crypto'
import { clock } from '../clock.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Controller, ownKey } from './controller.ts'
import { runningContainers } from './container-status.ts'
import { type Desk } from './desk.ts'
import { missingImageOf, tellMissingImage } from './images.ts'
import { hindranceOf } from './pod-hindrance.ts'
import { withNetworks } from './nics/pod-networks.ts'
import { filled, read } from '../objects/read.ts'
import { withCondition } from '../objects/vms/conditions.ts'
import { takeDown } from './vms/node/guest-pod.ts'
import { isFinal, phaseOf } from '../objects/vms/phase.ts'

const lookAgainMs = 2_000

/** Reports the containers of scheduled pods as running. No process runs in them. */
export const kubelet: Controller = {
  name: 'kubelet',
  sources: [{ kind: 'pods', keysOf: (pod) => (isOnNode(pod) ? ownKey(pod) : []) }],
  reconcile(desk, { namespace, name }) {
    const pod = desk.get('pods', namespace, name)
    if (!pod || !isOnNode(pod)) return undefined
    if (pod.metadata.deletionTimestamp !== undefined) return end(desk, pod)
    if (tellsOfItself(pod)) return undefined
    return phaseOf(pod) === 'Pending' || phaseOf(pod) === '' ? start(desk, pod) : undefined
  },
}

const isOnNode = (pod: KubeObject): boolean => read.spec(pod).nodeName !== undefined

/** CDI's worker pods run real downloads and report their own status. */
const tellsOfItself = (pod: KubeObject): boolean =>
  pod.metadata.labels?.app === 'containerized-data-importer'

function start(desk: Desk, pod: KubeObject): number | undefined {
  const hindrance = hindranceOf(desk, pod)
  if (hindrance !== null) {
    desk.record(pod, { type: 'Warning', ...hindrance })
    return lookAgainMs
  }
  const image = missingImageOf(pod)
  if (image !== undefined) {
    tellMissingImage(desk, pod, image)
    return lookAgainMs
  }
  const waitMs = desk.remainingMs('podStart', pod)
  if (waitMs > 0) return waitMs
  desk.setStatus('pods', withNetworks(desk, pod), runningStatus(desk, pod))
  return undefined
}

function runningStatus(desk: Desk, pod: KubeObject): JsonMap {
  const now = clock.timestamp()
  const ready = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady']
  const conditions = ready.reduce(
    (all, type) => withCondition(all, type, { status: 'True' }),
    read.maps(read.status(pod).conditions),
  )
  const podIP = addressOf(pod)
  const hostIP = addressOfNode(desk, read.text(read.spec(pod).nodeName))
  return filled({
    ...read.status(pod),
    phase: 'Running',
    conditions,
    ...(hostIP === undefined ? {} : { hostIP, hostIPs: [{ ip: hostIP }] }),
    podIP,
    podIPs: [{ ip: podIP }],
    startTime: now,
    ...runningContainers(pod, now),
  })
}

function addressOfNode(desk: Desk, name: string): string | undefined {
  const addresses = read.maps(read.at(desk.get('nodes', undefined, name)?.status, 'addresses'))
  return read.text(addresses.find(({ type }) => type === 'InternalIP')?.address) || undefined
}

/** An IP of the pod network that is derived from the UID of the pod. */
function addressOf({ metadata: { uid = '' } }: KubeObject): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest()
  return `10.${244 + (a % 4)}.${b}.${1 + (c % 254)}`
}

function end(desk: Desk, pod: KubeObject): number | undefined {
  const isOver = isFinal(pod)
  const waitMs = isOver ? desk.remainingMs('podStop', pod) : takeDown(desk, pod)
  if (waitMs > 0) return waitMs
  if (isOver) desk.remove('pods', pod, 0)
  else desk.setStatus('pods', pod, { ...read.status(pod), phase: 'Succeeded' })
  return undefined
}
