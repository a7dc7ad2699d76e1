import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { numberOf } from '../../quantity.ts'

const mapOf = (value: Json | undefined): JsonMap => (isMap(value) ? value : {})
const mapsOf = (value: Json | undefined): JsonMap[] =>
  Array.isArray(value) ? value.filter(isMap) : []

const counted = ['cpu', 'memory']

/** How early a pod has to go when its node runs out of something. */
export function qosClassOf({
  containers,
  initContainers,
}: JsonMap): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const all = [...mapsOf(containers), ...mapsOf(initContainers)].map(({ resources }) =>
    mapOf(resources),
  )
  const amount = (side: Json | undefined, name: string): number => numberOf(mapOf(side)[name]) ?? 0
  const asks = all.some(({ requests, limits }) =>
    counted.some((name) => amount(requests, name) > 0 || amount(limits, name) > 0),
  )
  if (!asks) return 'BestEffort'
  const isFixed = all.every(({ requests, limits }) =>
    counted.every(
      (name) => amount(limits, name) > 0 && amount(requests, name) === amount(limits, name),
    ),
  )
  return isFixed ? 'Guaranteed' : 'Burstable'
}
