import { type ObservedNodeSize } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { isTrue } from '../vm/conditions.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { bytesFrom, numberFrom } from '../../engine/kube/content/quantity.ts'

export const nodeKind = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  verbs: ['list'],
} satisfies ApiKind

/** Returns the state of a node and its allocatable resources, which exclude its own reserve. */
export const observedNodeSize = (node: ApiObject): ObservedNodeSize => ({
  isReady: isTrue(node, 'Ready'),
  isOpen: isOpen(node),
  cores: numberFrom(textAt(node.status, 'allocatable', 'cpu')) ?? 0,
  memoryMi: Math.floor((bytesFrom(textAt(node.status, 'allocatable', 'memory')) ?? 0) / 2 ** 20),
})

/** VMs of Berth tolerate no taint. `PreferNoSchedule` is only a preference. */
const blockingEffects: readonly (string | null)[] = ['NoSchedule', 'NoExecute']

/** KubeVirt's label tells whether it can run VMs on the node. */
const isOpen = ({ metadata: { labels }, spec }: ApiObject): boolean =>
  labels?.['kubevirt.io/schedulable'] === 'true' &&
  fieldAt(spec, 'unschedulable') !== true &&
  !listAt(spec, 'taints').some((taint) => blockingEffects.includes(textAt(taint, 'effect')))
