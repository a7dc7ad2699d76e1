import { type SeenHostSize } from '../../domain/cluster-capacity/cluster-capacity.ts'
import { type ApiKind } from '../../engine/kube/api-call.ts'
import { isTrue } from '../vm/conditions.ts'
import { fieldAt, listAt, textAt } from '../../engine/kube/field-at.ts'
import { type ApiObject } from '../../engine/kube/objects.ts'
import { bytesFrom, numberFrom } from '../../engine/kube/quantity.ts'

export const nodeKind = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
} satisfies ApiKind

/** Of what the machine has, as much as is left for others than the machine itself. */
export const seenHostSize = (node: ApiObject): SeenHostSize => ({
  isReady: isTrue(node, 'Ready'),
  isOpen: isOpen(node),
  cores: numberFrom(textAt(node.status, 'allocatable', 'cpu')) ?? 0,
  memoryMi: Math.floor((bytesFrom(textAt(node.status, 'allocatable', 'memory')) ?? 0) / 2 ** 20),
})

/** No VM of ours tolerates a taint; `PreferNoSchedule` is no more than a wish. */
const closing: readonly (string | null)[] = ['NoSchedule', 'NoExecute']

/** KubeVirt's own label says whether it can run anything there. */
const isOpen = ({ metadata: { labels }, spec }: ApiObject): boolean =>
  labels?.['kubevirt.io/schedulable'] === 'true' &&
  fieldAt(spec, 'unschedulable') !== true &&
  !listAt(spec, 'taints').some((taint) => closing.includes(textAt(taint, 'effect')))
