import { type JsonMap, type KubeObject, isMap } from '../objects/types.ts'
import { refuse } from '../objects/status.ts'
import { clock } from '../clock.ts'
import { type Controller, ownKey } from './controller.ts'
import { type Client } from './client.ts'
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
export const killNode = (client: Client, name: string): void =>
  setNode(client, name, { isLost: true })

export const reviveNode = (client: Client, name: string): void =>
  setNode(client, name, { isLost: false })

function setNode(client: Client, name: string, { isLost }: { isLost: boolean }): void {
  const node = client.get('nodes', undefined, name)
  if (!node) throw refuse.badRequest(`there is no node ${name}`)
  const { taints: _taints, unschedulable: _cordon, ...spec } = isMap(node.spec) ? node.spec : {}
  const labels = { ...node.metadata.labels, [schedulable]: String(!isLost) }
  const updated = client.change('nodes', node, {
    ...node,
    metadata: { ...node.metadata, labels },
    spec: isLost ? { ...spec, taints, unschedulable: true } : spec,
  })
  client.setStatus('nodes', updated, withCondition(updated, isLost ? lost : well))
}

function withCondition(object: KubeObject, readyCondition: JsonMap): JsonMap {
  const status = isMap(object.status) ? object.status : {}
  const conditions = (Array.isArray(status.conditions) ? status.conditions : []).filter(isMap)
  const known = conditions.find(({ type }) => type === 'Ready')
  if (known && known.status === readyCondition.status && known.reason === readyCondition.reason)
    return status
  const condition = { type: 'Ready', lastTransitionTime: clock.timestamp(), ...readyCondition }
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
  reconcile(client, { name }) {
    const node = client.get('nodes', undefined, name)
    if (!isLost(node)) return undefined
    const podsOnNode = pods.onNode(client, name)
    for (const pod of podsOnNode)
      client.setStatus(
        'pods',
        pod,
        withCondition(pod, { status: 'False', reason: 'NodeNotReady', message: '' }),
      )
    for (const vmi of vmisOn(client, name)) {
      const readyCondition = {
        status: 'False',
        reason: 'PodNotReady',
        message: 'virt-launcher pod is not ready',
      }
      client.setStatus(vmis, vmi, withCondition(vmi, readyCondition))
    }
    const leftMs = lostAtMs(node) + client.world.pace.msOf('nodeEviction') - clock.nowMs()
    if (leftMs > 0 && podsOnNode.length > 0) return leftMs
    evict(client, name)
    return undefined
  },
}

const vmis = 'virtualmachineinstances.kubevirt.io'

const vmisOn = (client: Client, node: string): KubeObject[] =>
  client
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
function evict(client: Client, node: string): void {
  for (const vmi of vmisOn(client, node)) {
    client.setStatus(vmis, vmi, {
      ...(isMap(vmi.status) ? vmi.status : {}),
      phase: 'Failed',
      reason: 'NodeUnresponsive',
    })
  }
  for (const pod of pods.onNode(client, node)) {
    const { finalizers: _finalizers, ...metadata } = pod.metadata
    client.remove('pods', client.change('pods', pod, { ...pod, metadata }))
  }
}
