import { type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { clock } from '../clock.ts'
import { type Controller, ownKey } from './controller.ts'
import { type Client } from './client.ts'
import { unfitReason } from './node-fit.ts'
import { allNamespaces, isWaitingPod, pods } from './pods.ts'
import { annotated, claim, claimNamesOf } from '../objects/storage/claim.ts'
import { names } from '../objects/storage/names.ts'

const retryMs = 5_000

/** Assigns pods to nodes with enough resources, and reports why when there is none. */
export const scheduler: Controller = {
  name: 'default-scheduler',
  sources: [
    { kind: 'pods', keysOf: (pod) => (isWaitingPod(pod) ? ownKey(pod) : []) },
    // A new PVC or node may allow a pending pod to be scheduled.
    {
      kind: names.claims,
      keysOf: ({ metadata }, client) =>
        pods.waitingIn(client, metadata.namespace ?? '').flatMap(ownKey),
    },
    {
      kind: 'nodes',
      keysOf: (_node, client) => pods.waitingIn(client, allNamespaces).flatMap(ownKey),
    },
  ],
  reconcile(client, { namespace, name }) {
    const pod = client.get('pods', namespace, name)
    if (!pod || !isWaitingPod(pod)) return undefined
    const problem = claimProblem(client, pod)
    const choice = problem === null ? leastLoadedNode(client, pod) : { node: null, why: problem }
    if (choice.node !== null && reserve(client, pod, choice.node.metadata.name))
      return assign(client, pod, choice.node)
    if (choice.node === null) refuse(client, pod, choice.why)
    return retryMs
  },
}

const claimsOf = (
  client: Client,
  pod: KubeObject,
): { name: string; object: KubeObject | undefined }[] =>
  claimNamesOf(pod).map((name) => ({
    name,
    object: client.get(names.claims, pod.metadata.namespace, name),
  }))

/** The problem with the PVCs of a pod that prevents scheduling on any node. */
function claimProblem(client: Client, pod: KubeObject): string | null {
  const available = `0/${client.list('nodes').length} nodes are available`
  const claims = claimsOf(client, pod)
  const missing = claims.find(({ object }) => object === undefined)
  if (missing) return `${available}: persistentvolumeclaim "${missing.name}" not found. not found`
  const deleted = claims.find(({ object }) => object?.metadata.deletionTimestamp !== undefined)
  if (deleted)
    return `${available}: persistentvolumeclaim "${deleted.name}" is being deleted. not found`
  const isUnbound = claims.some(
    ({ object }) =>
      object &&
      !claim.isBound(object) &&
      claim.classOf(client, object)?.volumeBindingMode !== 'WaitForFirstConsumer',
  )
  return isUnbound
    ? `${available}: pod has unbound immediate PersistentVolumeClaims. not found`
    : null
}

/**
 * Tells PVCs that wait for a consumer the node of the pod; true when all are bound and the pod can
 * be assigned.
 */
function reserve(client: Client, pod: KubeObject, node: string): boolean {
  const unbound = claimsOf(client, pod).flatMap(({ object }) =>
    object && !claim.isBound(object) ? [object] : [],
  )
  for (const each of unbound) {
    if (claim.annotation(each, names.selectedNode) === undefined) {
      client.change(names.claims, each, annotated(each, { [names.selectedNode]: node }))
    }
  }
  return unbound.length === 0
}

const specOf = ({ spec }: KubeObject): JsonMap => (isMap(spec) ? spec : {})
const statusOf = ({ status }: KubeObject): JsonMap => (isMap(status) ? status : {})

interface NodeChoice {
  node: KubeObject | null
  /** Why no node fits. */
  why: string
}

function leastLoadedNode(client: Client, pod: KubeObject): NodeChoice {
  const nodes = client.list('nodes')
  const misfits = new Map<string, number>()
  const fitting = nodes.flatMap((node) => {
    const here = pods.onNode(client, node.metadata.name)
    const problem = unfitReason(pod, node, here)
    if (problem !== null) misfits.set(problem, (misfits.get(problem) ?? 0) + 1)
    return problem === null ? [{ node, pods: here.length }] : []
  })
  const [best] = fitting.sort((a, b) => a.pods - b.pods)
  if (best) return { node: best.node, why: '' }
  const reasons = [...misfits].map(([problem, count]) => `${count} ${problem}`).join(', ')
  const available = `0/${nodes.length} nodes are available`
  const preemption = `preemption: ${available}: ${nodes.length} Preemption is not helpful for scheduling.`
  return { node: null, why: `${available}: ${reasons}. no new claims to deallocate, ${preemption}` }
}

/** Binds the pod to the node and copies the topology labels of the node. */
function assign(
  client: Client,
  pod: KubeObject,
  { metadata: { name: node, labels: nodeLabels = {} } }: KubeObject,
): undefined {
  const topology = Object.entries(nodeLabels).filter(([key]) =>
    key.startsWith('topology.kubernetes.io/'),
  )
  const labels = { ...pod.metadata.labels, ...Object.fromEntries(topology) }
  // A binding does not increase the generation, so the old version gets the node name, too.
  const assigned = { ...pod, spec: { ...specOf(pod), nodeName: node } }
  const bound = client.change('pods', assigned, {
    ...assigned,
    metadata: { ...pod.metadata, labels },
  })
  client.setStatus('pods', bound, withScheduled(bound, { status: 'True' }))
  const { namespace, name } = pod.metadata
  client.record(pod, {
    type: 'Normal',
    reason: 'Scheduled',
    message: `Successfully assigned ${namespace}/${name} to ${node}`,
  })
}

function refuse(client: Client, pod: KubeObject, message: string): void {
  client.record(pod, { type: 'Warning', reason: 'FailedScheduling', message })
  client.setStatus(
    'pods',
    pod,
    withScheduled(pod, { status: 'False', reason: 'Unschedulable', message }),
  )
}

function withScheduled(pod: KubeObject, update: JsonMap): JsonMap {
  const { conditions: all, ...status } = statusOf(pod)
  const conditions = (Array.isArray(all) ? all : []).filter(isMap)
  const old = conditions.find(({ type }) => type === 'PodScheduled')
  if (old && old.status === update.status && old.message === update.message) return statusOf(pod)
  const otherConditions = conditions.filter((each) => each !== old)
  const condition = {
    type: 'PodScheduled',
    lastProbeTime: null,
    lastTransitionTime: clock.timestamp(),
    ...update,
  }
  return { phase: 'Pending', ...status, conditions: [...otherConditions, condition] }
}
