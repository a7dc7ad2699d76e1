import { numberOf } from '../quantity.ts'
import { type JsonMap, type KubeObject, isMap } from '../apiserver/types.ts'
import { clock } from '../clock.ts'
import { type Controller, ownKey } from './controller.ts'
import { type Desk } from './desk.ts'
import { annotated, claim, claimNamesOf } from './storage/claim.ts'
import { names } from './storage/names.ts'

const lookAgainMs = 5_000

/** Gives pods a node that has room, and says why when none has. */
export const scheduler: Controller = {
  name: 'default-scheduler',
  sources: [
    { kind: 'pods', keysOf: (pod) => (isWaiting(pod) ? ownKey(pod) : []) },
    // A pod that went or a node that came may make room.
    {
      kind: names.claims,
      keysOf: ({ metadata }, desk) =>
        waitingPods(desk).flatMap((pod) => (pod.metadata.namespace === metadata.namespace ? ownKey(pod) : [])),
    },
    { kind: 'nodes', keysOf: (_node, desk) => waitingPods(desk).flatMap(ownKey) },
  ],
  reconcile(desk, { namespace, name }) {
    const pod = desk.get('pods', namespace, name)
    if (!pod || !isWaiting(pod)) return undefined
    const lack = lackOfClaims(desk, pod)
    const room = lack === null ? roomiestFor(desk, pod) : { node: null, why: lack }
    if (room.node !== null && reserve(desk, pod, room.node)) return assign(desk, pod, room.node)
    if (room.node === null) refuse(desk, pod, room.why)
    return lookAgainMs
  },
}

const claimsOf = (desk: Desk, pod: KubeObject): { name: string; object: KubeObject | undefined }[] =>
  claimNamesOf(pod).map((name) => ({ name, object: desk.get(names.claims, pod.metadata.namespace, name) }))

/** What is wrong with the claims of a pod before any node is looked at. */
function lackOfClaims(desk: Desk, pod: KubeObject): string | null {
  const available = `0/${desk.list('nodes').length} nodes are available`
  const claims = claimsOf(desk, pod)
  const missing = claims.find(({ object }) => object === undefined)
  if (missing) return `${available}: persistentvolumeclaim "${missing.name}" not found. not found`
  const going = claims.find(({ object }) => object?.metadata.deletionTimestamp !== undefined)
  if (going) return `${available}: persistentvolumeclaim "${going.name}" is being deleted. not found`
  const isUnbound = claims.some(
    ({ object }) => object && !claim.isBound(object) && claim.classOf(desk, object)?.volumeBindingMode !== 'WaitForFirstConsumer',
  )
  return isUnbound ? `${available}: pod has unbound immediate PersistentVolumeClaims. not found` : null
}

/** Claims that waited for a pod get told its node; the pod gets it when they are all bound. */
function reserve(desk: Desk, pod: KubeObject, node: string): boolean {
  const unbound = claimsOf(desk, pod).flatMap(({ object }) => (object && !claim.isBound(object) ? [object] : []))
  for (const each of unbound) {
    if (claim.annotation(each, names.selectedNode) === undefined) {
      desk.change(names.claims, each, annotated(each, { [names.selectedNode]: node }))
    }
  }
  return unbound.length === 0
}

const waitingPods = (desk: Desk): KubeObject[] => desk.list('pods').filter(isWaiting)

const specOf = ({ spec }: KubeObject): JsonMap => (isMap(spec) ? spec : {})
const statusOf = ({ status }: KubeObject): JsonMap => (isMap(status) ? status : {})

const isOver = (pod: KubeObject): boolean => statusOf(pod).phase === 'Succeeded' || statusOf(pod).phase === 'Failed'

const isWaiting = (pod: KubeObject): boolean =>
  pod.metadata.deletionTimestamp === undefined && specOf(pod).nodeName === undefined && !isOver(pod)

const counted = ['cpu', 'memory', 'devices.kubevirt.io/kvm'] as const

function requestOf(pod: KubeObject, resource: string): number {
  const { containers } = specOf(pod)
  return (Array.isArray(containers) ? containers : []).reduce<number>((sum, container) => {
    const resources = isMap(container) && isMap(container.resources) ? container.resources : {}
    const requests = isMap(resources.requests) ? resources.requests : {}
    return sum + (numberOf(requests[resource]) ?? 0)
  }, 0)
}

interface Room {
  node: string | null
  /** What every node lacks. */
  why: string
}

function roomiestFor(desk: Desk, pod: KubeObject): Room {
  const nodes = desk.list('nodes')
  const running = desk.list('pods').filter((each) => specOf(each).nodeName !== undefined && !isOver(each))
  const lacking = new Map<string, number>()
  const fitting = nodes.flatMap((node) => {
    const onNode = running.filter((each) => specOf(each).nodeName === node.metadata.name)
    const lack = lackOf(pod, node, onNode)
    if (lack !== null) lacking.set(lack, (lacking.get(lack) ?? 0) + 1)
    return lack === null ? [{ name: node.metadata.name, pods: onNode.length }] : []
  })
  const [best] = fitting.sort((a, b) => a.pods - b.pods)
  if (best) return { node: best.name, why: '' }
  const reasons = [...lacking].map(([lack, count]) => `${count} ${lack}`).join(', ')
  const available = `0/${nodes.length} nodes are available`
  const preemption = `preemption: ${available}: ${nodes.length} Preemption is not helpful for scheduling.`
  return { node: null, why: `${available}: ${reasons}. no new claims to deallocate, ${preemption}` }
}

function lackOf(pod: KubeObject, node: KubeObject, onNode: readonly KubeObject[]): string | null {
  if (specOf(node).unschedulable === true) return 'node(s) were unschedulable'
  const { allocatable } = statusOf(node)
  for (const resource of counted) {
    const has = numberOf(isMap(allocatable) ? allocatable[resource] : 0) ?? 0
    const used = onNode.reduce((sum, each) => sum + requestOf(each, resource), 0)
    if (requestOf(pod, resource) > has - used) return `Insufficient ${resource}`
  }
  const { nodeSelector } = specOf(pod)
  const labels = node.metadata.labels ?? {}
  const matches = Object.entries(isMap(nodeSelector) ? nodeSelector : {}).every(([key, value]) => labels[key] === value)
  return matches ? null : "node(s) didn't match Pod's node affinity/selector"
}

function assign(desk: Desk, pod: KubeObject, node: string): undefined {
  const bound = desk.change('pods', pod, { ...pod, spec: { ...specOf(pod), nodeName: node } })
  desk.setStatus('pods', bound, withScheduled(bound, { status: 'True' }))
  const { namespace, name } = pod.metadata
  desk.record(pod, { type: 'Normal', reason: 'Scheduled', message: `Successfully assigned ${namespace}/${name} to ${node}` })
}

function refuse(desk: Desk, pod: KubeObject, message: string): void {
  desk.record(pod, { type: 'Warning', reason: 'FailedScheduling', message })
  desk.setStatus('pods', pod, withScheduled(pod, { status: 'False', reason: 'Unschedulable', message }))
}

function withScheduled(pod: KubeObject, said: JsonMap): JsonMap {
  const { conditions: all, ...status } = statusOf(pod)
  const conditions = (Array.isArray(all) ? all : []).filter(isMap)
  const old = conditions.find(({ type }) => type === 'PodScheduled')
  if (old && old.status === said.status && old.message === said.message) return statusOf(pod)
  const others = conditions.filter((each) => each !== old)
  const condition = { type: 'PodScheduled', lastProbeTime: null, lastTransitionTime: clock.timestamp(), ...said }
  return { phase: 'Pending', ...status, conditions: [...others, condition] }
}
