import { type Json, type JsonMap } from '../../objects/types.ts'
import { clock } from '../../clock.ts'
import { read } from '../../objects/read.ts'

/** A condition of a VM snapshot, restore, clone or export. */
export interface ConditionUpdate extends JsonMap {
  type: 'Ready' | 'Progressing' | 'Failure'
  status: 'True' | 'False'
  /** The message; these conditions have no `message` field. */
  reason: string
}

export const progressing = (
  status: ConditionUpdate['status'],
  reason: string,
): ConditionUpdate => ({
  type: 'Progressing',
  status,
  reason,
})
export const ready = (status: ConditionUpdate['status'], reason: string): ConditionUpdate => ({
  type: 'Ready',
  status,
  reason,
})
export const failure = (reason: string): ConditionUpdate => ({
  type: 'Failure',
  status: 'True',
  reason,
})

/** Merges the conditions; an unchanged condition keeps its transition time. */
export function withConditions(
  conditions: Json | undefined,
  ...updates: readonly ConditionUpdate[]
): JsonMap[] {
  return updates.reduce<JsonMap[]>((all, update) => {
    const known = all.find(({ type }) => type === update.type)
    if (known && known.status === update.status && known.reason === update.reason) return all
    const { type, status, reason } = update
    const fresh = {
      lastProbeTime: null,
      lastTransitionTime: clock.timestamp(),
      reason,
      status,
      type,
    }
    return known ? all.map((each) => (each === known ? fresh : each)) : [...all, fresh]
  }, read.maps(conditions))
}
