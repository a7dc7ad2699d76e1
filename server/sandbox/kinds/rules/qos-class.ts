import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { numberOf } from '../../quantity.ts'

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const mapsOf = (value: Json | undefined): JsonMap[] =>
  Array.isArray(value) ? value.filter(isMap) : []

const counted = ['cpu', 'memory']

/** The QoS class of a pod, which decides how early its node evicts it under pressure. */
export function qosClassOf({
  containers,
  initContainers,
}: JsonMap): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = [...mapsOf(containers), ...mapsOf(initContainers)].map(({ resources }) =>
    mapOf(resources),
  )
  const amount = (side: Json | undefined, name: string): number => numberOf(mapOf(side)[name]) ?? 0
  const hasAmounts = all.some(({ requests, limits }) =>
    counted.some((name) => amount(requests, name) > 0 || amount(limits, name) > 0),
  )
  if (!hasAmounts) return 'BestEffort'
  const isFixed = all.every(({ requests, limits }) =>
    counted.every(
      (name) => amount(limits, name) > 0 && amount(requests, name) === amount(limits, name),
    ),
  )
  return isFixed ? 'Guaranteed' : 'Burstable'
}
