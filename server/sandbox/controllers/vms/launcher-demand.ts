import { numberOf } from '../../quantity.ts'
import { type Json, type JsonMap, type KubeObject } from '../../apiserver/types.ts'
import { filled, read } from '../read.ts'
import { overheadBytes, quantityOf, vcpusOf } from './memory-overhead.ts'

/** What the launcher asks of its node: memory with all that is around the guest, a tenth of a processor for each of its own. */
export function demandOf(vmi: KubeObject): JsonMap {
  const resources = read.map(read.at(vmi.spec, 'domain', 'resources'))
  const asked = read.map(resources.requests)
  const most = read.map(resources.limits)
  const guest = read.at(vmi.spec, 'domain', 'memory', 'guest')
  const overhead = overheadBytes(vmi)
  const sized = (quantity: Json | undefined): string => quantityOf((numberOf(quantity) ?? 0) + overhead)
  const pinned = read.at(vmi.spec, 'domain', 'cpu', 'dedicatedCpuPlacement') === true ? String(vcpusOf(vmi)) : undefined
  const limits = filled({ cpu: most.cpu ?? pinned, memory: most.memory === undefined ? undefined : sized(most.memory) })
  const requests = {
    cpu: asked.cpu ?? most.cpu ?? pinned ?? `${vcpusOf(vmi) * 100}m`,
    memory: sized(asked.memory ?? guest ?? most.memory),
  }
  return Object.keys(limits).length > 0 ? { requests, limits } : { requests }
}
