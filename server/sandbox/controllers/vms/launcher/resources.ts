import { numberOf } from '../../../quantity.ts'
import { type Json, type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { filled, read } from '../../../objects/read.ts'
import { overheadBytes, quantityOf, vcpusOf } from './memory-overhead.ts'
import { type LauncherContext, emulates } from './context.ts'
import { deviceLimits } from './devices.ts'

/**
 * The requests and limits of a launcher pod's compute container: guest memory plus overhead, and a
 * share of a CPU for each vCPU.
 */
export function demandOf(vmi: KubeObject, context: LauncherContext): JsonMap {
  const { requests, limits } = read.map(read.at(vmi.spec, 'domain', 'resources'))
  const processors = processorsOf(vmi, context)
  const memory = memoryOf(vmi, context)
  const pages = hugePagesOf(vmi)
  return {
    requests: filled({
      ...pages,
      ...read.map(requests),
      ...processors.requests,
      ...memory.requests,
      ...storageOf(requests, true),
    }),
    limits: filled({
      ...pages,
      ...read.map(limits),
      ...processors.limits,
      ...memory.limits,
      ...storageOf(limits, false),
      ...deviceLimits(vmi, emulates(context)),
    }),
  }
}

interface RequestsAndLimits {
  requests: JsonMap
  limits: JsonMap
}

const isPinned = (vmi: KubeObject): boolean =>
  read.at(vmi.spec, 'domain', 'cpu', 'dedicatedCpuPlacement') === true

function processorsOf(
  vmi: KubeObject,
  { configuration, isLimited }: LauncherContext,
): RequestsAndLimits {
  const { requests, limits } = read.map(read.at(vmi.spec, 'domain', 'resources'))
  const cpuLimit = read.at(limits, 'cpu')
  const ioThreads = Number(
    read.at(vmi.spec, 'domain', 'ioThreads', 'supplementalPoolThreadCount') ?? 0,
  )
  const all = vcpusOf(vmi) + ioThreads
  if (isPinned(vmi)) {
    const emulator = read.at(vmi.spec, 'domain', 'cpu', 'isolateEmulatorThread') === true ? 1 : 0
    const cpu = String(all + emulator)
    return { requests: { cpu }, limits: { cpu } }
  }
  const ratio = Number(read.at(configuration.developerConfiguration, 'cpuAllocationRatio') ?? 10)
  const cpu = read.at(requests, 'cpu') ?? cpuLimit ?? processorQuantity(all / ratio)
  return {
    requests: { cpu },
    limits: filled({ cpu: cpuLimit ?? (isLimited('cpu') ? String(all) : undefined) }),
  }
}

const processorQuantity = (share: number): string =>
  Number.isInteger(share) ? String(share) : `${Math.ceil(share * 1000)}m`

function memoryOf(vmi: KubeObject, { isLimited }: LauncherContext): RequestsAndLimits {
  const { resources, memory } = read.map(read.spec(vmi).domain)
  const overhead = overheadBytes(vmi)
  const memoryLimit = read.at(resources, 'limits', 'memory')
  const hugepages = read.map(memory).hugepages
  const requested =
    read.at(resources, 'requests', 'memory') ??
    memoryLimit ??
    read.map(memory).guest ??
    read.at(hugepages, 'pageSize')
  // Huge pages hold the guest memory, so only the rest is requested as normal memory.
  const inPages = hugepages === undefined ? 0 : (numberOf(pagedMemory(vmi)) ?? 0)
  const sized = (quantity: Json | undefined, more: number): number =>
    Math.max(0, (numberOf(quantity) ?? 0) - inPages) + more
  const request = sized(
    requested,
    read.at(resources, 'overcommitGuestOverhead') === true ? 0 : overhead,
  )
  const limit = isPinned(vmi) ? requested : memoryLimit
  const automatic = isLimited('memory') ? quantityOf(request * 2) : undefined
  return {
    requests: { memory: quantityOf(request) },
    limits: filled({
      memory: limit === undefined ? automatic : quantityOf(sized(limit, overhead)),
    }),
  }
}

function pagedMemory(vmi: KubeObject): Json | undefined {
  const { resources, memory } = read.map(read.spec(vmi).domain)
  const requested = read.at(resources, 'requests', 'memory')
  const { guest } = read.map(memory)
  return guest !== undefined &&
    (requested === undefined || (numberOf(requested) ?? 0) > (numberOf(guest) ?? 0))
    ? guest
    : requested
}

function hugePagesOf(vmi: KubeObject): JsonMap {
  const size = read.text(read.at(vmi.spec, 'domain', 'memory', 'hugepages', 'pageSize'))
  return size === '' ? {} : filled({ [`hugepages-${size}`]: pagedMemory(vmi) })
}

const ownStorage = 50_000_000

/** Adds the ephemeral storage that the launcher itself needs. */
function storageOf(side: Json | undefined, isAlways: boolean): JsonMap {
  const requested = read.at(side, 'ephemeral-storage')
  if (requested === undefined) return isAlways ? { 'ephemeral-storage': '50M' } : {}
  return { 'ephemeral-storage': quantityOf((numberOf(requested) ?? 0) + ownStorage) }
}
