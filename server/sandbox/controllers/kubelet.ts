import { createHash } from 'node:crypto'
import { clock } from '../clock.ts'
import { type JsonMap, type KubeObject } from '../objects/types.ts'
import { type Controller, ownKey } from './controller.ts'
import { runningContainers } from './container-status.ts'
import { type Client } from './client.ts'
import { missingImageOf, reportMissingImage } from './images.ts'
import { startProblemOf } from './pod-start-problem.ts'
import { withNetworks } from './nics/pod-networks.ts'
import { filled, read } from '../objects/read.ts'
import { withCondition } from '../objects/vms/conditions.ts'
import { shutDownGuest } from './vms/node/guest-pod.ts'
import { isFinal, phaseOf } from '../objects/vms/phase.ts'

const retryMs = 2_000

/** Reports the containers of scheduled pods as running. No process runs in them. */
export const kubelet: Controller = {
  name: 'kubelet',
  sources: [{ kind: 'pods', keysOf: (pod) => (isOnNode(pod) ? ownKey(pod) : []) }],
  reconcile(client, { namespace, name }) {
    const pod = client.get('pods', namespace, name)
    if (!pod || !isOnNode(pod)) return undefined
    if (pod.metadata.deletionTimestamp !== undefined) return end(client, pod)
    if (reportsOwnStatus(pod)) return undefined
    return phaseOf(pod) === 'Pending' || phaseOf(pod) === '' ? start(client, pod) : undefined
  },
}

const isOnNode = (pod: KubeObject): boolean => read.spec(pod).nodeName !== undefined

/** CDI's worker pods run real downloads and report their own status. */
const reportsOwnStatus = (pod: KubeObject): boolean =>
  pod.metadata.labels?.app === 'containerized-data-importer'

function start(client: Client, pod: KubeObject): number | undefined {
  const problem = startProblemOf(client, pod)
  if (problem !== null) {
    client.record(pod, { type: 'Warning', ...problem })
    return retryMs
  }
  const image = missingImageOf(pod)
  if (image !== undefined) {
    reportMissingImage(client, pod, image)
    return retryMs
  }
  const waitMs = client.remainingMs('podStart', pod)
  if (waitMs > 0) return waitMs
  client.setStatus('pods', withNetworks(client, pod), runningStatus(client, pod))
  return undefined
}

function runningStatus(client: Client, pod: KubeObject): JsonMap {
  const now = clock.timestamp()
  const ready = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady']
  const conditions = ready.reduce(
    (all, type) => withCondition(all, type, { status: 'True' }),
    read.maps(read.status(pod).conditions),
  )
  const podIP = addressOf(pod)
  const hostIP = addressOfNode(client, read.text(read.spec(pod).nodeName))
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

function addressOfNode(client: Client, name: string): string | undefined {
  const addresses = read.maps(read.at(client.get('nodes', undefined, name)?.status, 'addresses'))
  return read.text(addresses.find(({ type }) => type === 'InternalIP')?.address) || undefined
}

/** An IP of the pod network that is derived from the UID of the pod. */
function addressOf({ metadata: { uid = '' } }: KubeObject): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(uid).digest()
  return `10.${244 + (a % 4)}.${b}.${1 + (c % 254)}`
}

function end(client: Client, pod: KubeObject): number | undefined {
  const isOver = isFinal(pod)
  const waitMs = isOver ? client.remainingMs('podStop', pod) : shutDownGuest(client, pod)
  if (waitMs > 0) return waitMs
  if (isOver) client.remove('pods', pod, 0)
  else client.setStatus('pods', pod, { ...read.status(pod), phase: 'Succeeded' })
  return undefined
}
