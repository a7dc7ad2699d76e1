import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'

/**
 * True when the sidecars of a launcher pod need requests equal to their limits, so that the pod
 * gets the QoS class Guaranteed.
 */
export function needsGuaranteedQos(vmi: KubeObject): boolean {
  const domain = read.map(read.spec(vmi).domain)
  return read.at(domain, 'cpu', 'dedicatedCpuPlacement') === true || isGuaranteed(domain)
}

function isGuaranteed(domain: JsonMap): boolean {
  const { requests, limits } = read.map(domain.resources)
  const { cpu, memory } = read.map(limits)
  const requested = read.map(requests)
  return (
    cpu !== undefined &&
    memory !== undefined &&
    (requested.cpu ?? cpu) === cpu &&
    (requested.memory ?? memory) === memory
  )
}
