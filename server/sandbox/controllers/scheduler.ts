import { type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { type Controller, ownKey } from './controller.ts'
import { type Desk } from './desk.ts'
import { misfit } from './node-fit.ts'
import { anywhere, isWaitingPod, pods } from './pods.ts'
import { annotated, claim, claimNamesOf } from '../objects/storage/claim.ts'
import { names } from '../objects/storage/names.ts'

const lookAgainMs = 5_000

/** Assigns pods to nodes with enough resources, and reports why when there is none. */
export const scheduler: Controller = {
  name: 'default-scheduler',
  sources: [
    { kind: 'pods', keysOf: (pod) => (isWaitingPod(pod) ? ownKey(pod) : []) },
    // A new PVC or node may allow a pending pod to be scheduled.
    {
      kind: names.claims,
      keysOf: ({ metadata }, desk) =>
        pods.waitingIn(desk, metadata.namespace ?? '').flatMap(ownKey),
    },
    { kind: 'nodes', keysOf: (_node, desk) => pods.waitingIn(desk, anywhere).flatMap(ownKey) },
  ],
  reconcile(desk, { namespace, name }) {
    const pod = desk.get('pods', namespace, name)
    if (!pod || !isWaitingPod(pod)) return undefined
    const lack = lackOfClaims(desk, pod)
    const room = lack === null ? roomiestFor(desk, pod) : { node: null, why: lack }
    if (room.node !== null && reserve(desk, pod, room.node.metadata.name))
      return assign(desk, pod, room.node)
    if (room.node === null) refuse(desk, pod, room.why)
    return lookAgainMs
  },
}

const claimsOf = (
  desk: Desk,
  pod: KubeObject,
): { name: string; object: KubeObject | undefined }[] =>
  claimNamesOf(pod).map((name) => ({
    name,
    object: desk.get(names.claims, pod.metadata.namespace, name),
  }))

/** The problem with the PVCs of a pod that prevents scheduling on any node. */
function lackOfClaims(desk: Desk, pod: KubeObject): string | null {
  const available = `0/${desk.list('nodes').length} nodes are available`
  const claims = claimsOf(desk, pod)
  const missing = claims.find(({ object }) => object === undefined)
  if (missing) return `${available}: persistentvolumeclaim "${missing.name}" not found. not found`
  const going = claims.find(({ object }) => object?.metadata.deletionTimestamp !== undefined)
  if (going)
    return `${available}: persistentvolumeclaim "${going.name}" is being deleted. not found`
  const isUnbound = claims.some(
    ({ object }) =>
      object &&
      !claim.isBound(object) &&
      claim.classOf(desk, object)?.volumeBindingMode !== 'WaitForFirstConsumer',
  )
  return isUnbound
    ? `${available}: pod has unbound immediate PersistentVolumeClaims. not found`
    : null
}

/**
 * Tells PVCs that wait for a consumer the node of the pod; true when all are bound and the pod can
 * be assigned.
 */
function reserve(desk: Desk, pod: KubeObject, node: string): boolean {
  const unbound = claimsOf(desk, pod).flatMap(({ object }) =>
    object && !claim.isBound(object) ? [object] : [],
  )
  for (const each of unbound) {
    if (claim.annotation(each, names.selectedNode) === undefined) {
      desk.change(names.claims, each, annotated(each, { [names.selectedNode]: node }))
    }
  }
  return unbound.length === 0
}

const specOf = ({ spec }: KubeObject): JsonMap => (isMap(spec) ? spec : {})
const statusOf = ({ status }: KubeObject): JsonMap => (isMap(status) ? status : {})

interface Room {
  node: KubeObject | null
  /** Why no node fits. */
  why: string
}

function roomiestFor(desk: Desk, pod: KubeObject): Room {
  const nodes = desk.list('nodes')
  const lacking = new Map<string, number>()
  const fitting = nodes.flatMap((node) => {
    const here = pods.onNode(desk, node.metadata.name)
    const lack = misfit(pod, node, here)
    if (lack !== null) lacking.set(lack, (lacking.get(lack) ?? 0) + 1)
    return lack === null ? [{ node, pods: here.length }] : []
  })
  const [best] = fitting.sort((a, b) => a.pods - b.pods)
  if (best) return { node: best.node, why: '' }
  const reasons = [...lacking].map(([lack, count]) => `${count} ${lack}`).join(', ')
  const available = `0/${nodes.length} nodes are available`
  const preemption = `preemption: ${available}: ${nodes.length} Preemption is not helpful for scheduling.`
  return { node: null, why: `${available}: ${reasons}. no new claims to deallocate, ${preemption}` }
}

/** Binds the pod to the node and copies the topology labels of the node. */
function assign(
  desk: Desk,
  pod: KubeObject,
  { metadata: { name: node, labels: where = {} } }: KubeObject,
): undefined {
  const topology = Object.entries(where).filter(([key]) =>
    key.startsWith('topology.kubernetes.io/'),
  )
  const labels = { ...pod.metadata.labels, ...Object.fromEntries(topology) }
  // A binding does not increase the generation, so the old version gets the node name, too.
  const placed = { ...pod, spec: { ...specOf(pod), nodeName: node } }
  const bound = desk.change('pods', placed, { ...placed, metadata: { ...pod.metadata, labels } })
  desk.setStatus('pods', bound, withScheduled(bound, { status: 'True' }))
  const { namespace, name } = pod.metadata
  desk.record(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${namespace}/${name} to ${node}`,
  })
}

function refuse(desk: Desk, pod: KubeObject, message: string): void {
  desk.record(pod, { type: 'Warning', reason: 'FailedScheduling', message })
  desk.setStatus(
    'pods',
    pod,
    withScheduled(pod, { status: 'False', reason: 'Unschedulable', message }),
  )
}

function withScheduled(pod: KubeObject, said: JsonMap): JsonMap {
  const { conditions: all, ...status } = statusOf(pod)
  const conditions = (Array.isArray(all) ? all : []).filter(isMap)
  const old = conditions.find(({ type }) => type === 'PodScheduled')
  if (old && old.status === said.status && old.message === said.message) return statusOf(pod)
  const others = conditions.filter((each) => each !== old)
  const condition = {
    type: 'PodScheduled',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
    ...said,
  }
  return { phase: 'Pending', ...status, conditions: [...others, condition] }
}
