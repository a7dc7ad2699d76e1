import { clock } from '../../clock.ts'
import { type JsonMap, type KubeObject } from '../types.ts'
import { filled, read } from '../read.ts'

/** The new content of a condition in the status of a VM, a VMI or a pod. */
export interface ConditionUpdate {
  status: 'True' | 'False'
  reason?: string
  message?: string
  lastProbeTime?: string
}

export const conditionsOf = (object: KubeObject): JsonMap[] =>
  read.maps(read.status(object).conditions)

export const conditionOf = (object: KubeObject, type: string): JsonMap | undefined =>
  conditionsOf(object).find((each) => each.type === type)

export const isTrue = (object: KubeObject, type: string): boolean =>
  conditionOf(object, type)?.status === 'True'

/** Sets or removes the condition of a type. An unchanged condition keeps its times. */
export function withCondition(
  conditions: readonly JsonMap[],
  type: string,
  update: ConditionUpdate | null,
): JsonMap[] {
  const old = conditions.find((each) => each.type === type)
  const otherConditions = conditions.filter((each) => each !== old)
  if (update === null) return otherConditions
  const isSame =
    old?.status === update.status && old.reason === update.reason && old.message === update.message
  if (isSame) return [...conditions]
  const now = clock.timestamp()
  const made = filled({ lastProbeTime: null, lastTransitionTime: now, ...update, type })
  return old ? conditions.map((each) => (each === old ? made : each)) : [...otherConditions, made]
}
