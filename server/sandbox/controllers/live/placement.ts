import { isDeepStrictEqual } from 'node:util'
import { type KubeObject } from '../../objects/types.ts'
import { isMigrating } from '../../objects/migrations/state.ts'
import { filled, read } from '../../objects/read.ts'
import { templateOf } from './template.ts'
import { type SyncError, type Verdict, nothing } from './verdict.ts'

const fields = {
  affinity: [
    'AffinityChangeError',
    'handling node affinity change request: Node affinity should not be changed during VMI migration',
  ],
  nodeSelector: [
    'AffinityChangeError',
    'handling node affinity change request: Node affinity should not be changed during VMI migration',
  ],
  tolerations: [
    'TolerationsChangeError',
    'handling tolerations change request: tolerations should not be changed during VMI migration',
  ],
} as const

/**
 * Copies changed scheduling constraints to the VMI. They apply to the next migration; the VMI stays
 * on its node.
 */
export function placementVerdict(vm: KubeObject, vmi: KubeObject): Verdict {
  const desired = templateOf(vm).spec
  const current = read.spec(vmi)
  const changed = (['affinity', 'nodeSelector', 'tolerations'] as const).filter(
    (field) => !isDeepStrictEqual(desired[field], current[field]),
  )
  const [first] = changed
  if (first === undefined) return nothing
  if (isMigrating(vmi)) return { do: 'refuse', error: errorOf(fields[first]) }
  const { affinity, nodeSelector, tolerations } = desired
  return { do: 'change', spec: filled({ ...current, affinity, nodeSelector, tolerations }) }
}

const errorOf = ([reason, doing]: readonly [string, string]): SyncError => ({
  reason,
  message: `Error encountered while ${doing}`,
})
