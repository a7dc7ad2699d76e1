import { type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { refuse } from '../objects/status.ts'
import { clock } from '../clock.ts'
import { type Controller, ownKey } from './controller.ts'
import { type Desk } from './desk.ts'
import { pods } from './pods.ts'

const schedulable = 'kubevirt.io/schedulable'
const taints = ['NoSchedule', 'NoExecute'].map((effect) => ({
  key: 'node.kubernetes.io/unreachable',
  effect,
}))
const lost = {
  status: 'Unknown',
  reason: 'NodeStatusUnknown',
  message: 'Kubelet stopped posting node status.',
}
const well = { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' }

/**
 * Simulates the sudden loss of a node: no new pods are scheduled, and its pods are evicted after a
 * while.
 */
export const killNode = (desk: Desk, name: string): void => setNode(desk, name, { isLost: true })

export const reviveNode = (desk: Desk, name: string): void => setNode(desk, name, { isLost: false })

function setNode(desk: Desk, name: string, { isLost }: { isLost: boolean }): void {
  const node = desk.get('nodes', undefined, name)
  if (!node) throw refuse.badRequest(`there is no node ${name}`)
  const { taints: _taints, unschedulable: _cordon, ...spec } = isMap(node.spec) ? node.spec : {}
  const labels = { ...node.metadata.labels, [schedulable]: String(!isLost) }
  const told = desk.change('nodes', node, {
    ...node,
    metadata: { ...node.metadata, labels },
    spec: isLost ? { ...spec, taints, unschedulable: true } : spec,
  })
  desk.setStatus('nodes', told, withCondition(told, isLost ? lost : well))
}

function withCondition(object: KubeObject, said: JsonMap): JsonMap {
  const status = isMap(object.status) ? object.status : {}
  const conditions = (Array.isArray(status.conditions) ? status.conditions : []).filter(isMap)
  const known = conditions.find(({ type }) => type === 'Ready')
  if (known && known.status === said.status && known.reason === said.reason) return status
  const condition = { type: 'Ready', lastTransitionTime: clock.timestamp(), ...said }
  return { ...status, conditions: [...conditions.filter((each) => each !== known), condition] }
}

const isLost = (node: KubeObject | undefined): boolean => {
  const conditions =
    isMap(node?.status) && Array.isArray(node.status.conditions)
      ? node.status.conditions.filter(isMap)
      : []
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'Unknown')
}

/**
 * Marks the pods of a lost node as not ready. Evicts them and fails their VMIs when the node stays
 * lost.
 */
export const nodeLoss: Controller = {
  name: 'node-lifecycle-controller',
  sources: [{ kind: 'nodes', keysOf: ownKey }],
  reconcile(desk, { name }) {
    const node = desk.get('nodes', undefined, name)
    if (!isLost(node)) return undefined
    const here = pods.onNode(desk, name)
    for (const pod of here)
      desk.setStatus(
        'pods',
        pod,
        withCondition(pod, { status: 'False', reason: 'NodeNotReady', message: '' }),
      )
    for (const vmi of vmisOn(desk, name)) {
      const said = {
        status: 'False',
        reason: 'PodNotReady',
        message: 'virt-launcher pod is not ready',
      }
      desk.setStatus(vmis, vmi, withCondition(vmi, said))
    }
    const leftMs = lostAtMs(node) + desk.world.pace.msOf('nodeEviction') - clock.nowMs()
    if (leftMs > 0 && here.length > 0) return leftMs
    giveUp(desk, name)
    return undefined
  },
}

const vmis = 'virtualmachineinstances.kubevirt.io'

const vmisOn = (desk: Desk, node: string): KubeObject[] =>
  desk
    .list(vmis)
    .filter(
      ({ status }) =>
        isMap(status) &&
        status.nodeName === node &&
        status.phase !== 'Failed' &&
        status.phase !== 'Succeeded',
    )

function lostAtMs(node: KubeObject | undefined): number {
  const conditions =
    isMap(node?.status) && Array.isArray(node.status.conditions)
      ? node.status.conditions.filter(isMap)
      : []
  return Date.parse(String(conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime))
}

/** Deletes the pods without the confirmation of a kubelet, because none runs on the node. */
function giveUp(desk: Desk, node: string): void {
  for (const vmi of vmisOn(desk, node)) {
    desk.setStatus(vmis, vmi, {
      ...(isMap(vmi.status) ? vmi.status : {}),
      phase: 'Failed',
      reason: 'NodeUnresponsive',
    })
  }
  for (const pod of pods.onNode(desk, node)) {
    const { finalizers: _nobody, ...metadata } = pod.metadata
    desk.remove('pods', desk.change('pods', pod, { ...pod, metadata }))
  }
}
