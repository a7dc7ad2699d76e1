import { within } from '../objects/vms/draft.ts'
import { type Json, type JsonMap } from '../objects/types.ts'
import { filled, read } from '../objects/read.ts'
import { canonical, numberOf } from '../quantity.ts'
import { layoutOf } from './topology.ts'

/** A VM template whose spec and metadata are mutable drafts. */
export interface Template {
  spec: JsonMap
  metadata: JsonMap
}

/**
 * Applies an instance type to a draft. Returns the conflicting paths, in which case the draft is
 * unchanged.
 */
export function applyInstancetype(
  { spec, metadata }: Template,
  instancetype: JsonMap,
  preference: JsonMap | null,
): string[] {
  const conflicts = [
    ...conflictsOf(spec, instancetype),
    ...annotationConflicts(metadata, read.map(instancetype.annotations)),
  ]
  if (conflicts.length > 0) return conflicts
  const {
    nodeSelector,
    schedulerName,
    ioThreadsPolicy,
    launchSecurity,
    ioThreads,
    gpus,
    hostDevices,
  } = instancetype
  const domain = within(spec, 'domain')
  Object.assign(spec, filled({ nodeSelector, schedulerName }))
  Object.assign(domain, filled({ ioThreadsPolicy, launchSecurity }))
  if (ioThreads !== undefined) Object.assign(within(domain, 'ioThreads'), ioThreads)
  Object.assign(
    within(domain, 'devices'),
    filled({ gpus: someOf(gpus), hostDevices: someOf(hostDevices) }),
  )
  applyCpu(within(domain, 'cpu'), read.map(instancetype.cpu), preference)
  applyMemory(domain, read.map(instancetype.memory))
  const annotations = read.map(instancetype.annotations)
  if (Object.keys(annotations).length > 0)
    Object.assign(within(metadata, 'annotations'), annotations)
  return []
}

const someOf = (list: Json | undefined): Json | undefined =>
  Array.isArray(list) && list.length > 0 ? list : undefined

const isSet = (value: Json | undefined): boolean =>
  value !== undefined && value !== '' && value !== 0 && value !== false

/**
 * The fields that both set, in the order of KubeVirt's checks. KubeVirt reports only the first
 * conflicting memory field.
 */
function conflictsOf(spec: JsonMap, type: JsonMap): string[] {
  const domain = read.map(spec.domain)
  const both = (path: string, own: Json | undefined, typeValue: Json | undefined): string[] =>
    isSet(own) && isSet(typeValue) ? [path] : []
  return [
    ...both('nodeSelector', spec.nodeSelector, type.nodeSelector),
    ...both('schedulerName', spec.schedulerName, type.schedulerName),
    ...cpuConflicts(domain, read.map(type.cpu)),
    ...memoryConflicts(domain, read.map(type.memory)).slice(0, 1),
    ...both(
      'domain.ioThreads.supplementalPoolThreadCount',
      read.at(domain, 'ioThreads', 'supplementalPoolThreadCount'),
      read.at(type, 'ioThreads', 'supplementalPoolThreadCount'),
    ),
    ...both('domain.ioThreadsPolicy', domain.ioThreadsPolicy, type.ioThreadsPolicy),
    ...both('domain.launchSecurity', domain.launchSecurity, type.launchSecurity),
    ...both('domain.devices.gpus', someOf(read.at(domain, 'devices', 'gpus')), someOf(type.gpus)),
    ...both(
      'domain.devices.hostDevices',
      someOf(read.at(domain, 'devices', 'hostDevices')),
      someOf(type.hostDevices),
    ),
  ]
}

function cpuConflicts({ cpu, resources }: JsonMap, type: JsonMap): string[] {
  const own = read.map(cpu)
  const shared = ['model', 'dedicatedCPUPlacement', 'isolateEmulatorThread', 'numa', 'realtime']
  return [
    ...['requests', 'limits']
      .filter((kind) => read.at(resources, kind, 'cpu') !== undefined)
      .map((kind) => `domain.resources.${kind}.cpu`),
    ...['sockets', 'cores', 'threads']
      .filter((key) => isSet(own[key]))
      .map((key) => `domain.cpu.${key}`),
    ...shared
      .filter(
        (key) =>
          isSet(own[key === 'dedicatedCPUPlacement' ? 'dedicatedCpuPlacement' : key]) &&
          type[key] !== undefined,
      )
      .map((key) => `domain.cpu.${key}`),
  ]
}

function memoryConflicts({ memory, resources }: JsonMap, type: JsonMap): string[] {
  const own = read.map(memory)
  return [
    ...(own.guest === undefined ? [] : ['domain.memory.guest']),
    ...['hugepages', 'maxGuest']
      .filter((key) => own[key] !== undefined && type[key] !== undefined)
      .map((key) => `domain.memory.${key}`),
    ...['requests', 'limits']
      .filter((kind) => read.at(resources, kind, 'memory') !== undefined)
      .map((kind) => `domain.resources.${kind}.memory`),
  ]
}

const annotationConflicts = (metadata: JsonMap, annotations: JsonMap): string[] =>
  Object.entries(annotations)
    .filter(([key, value]) => (read.at(metadata.annotations, key) ?? value) !== value)
    .map(([key]) => `annotations.${key}`)

function applyCpu(cpu: JsonMap, type: JsonMap, preference: JsonMap | null): void {
  const {
    model,
    dedicatedCPUPlacement: dedicatedCpuPlacement,
    isolateEmulatorThread,
    numa,
    realtime,
    maxSockets,
  } = type
  Object.assign(
    cpu,
    filled({ model, dedicatedCpuPlacement, isolateEmulatorThread, numa, realtime, maxSockets }),
  )
  Object.assign(cpu, layoutOf(Number(type.guest ?? 0), preference))
}

/** Applies the guest memory. Overcommitted memory is not requested from the node. */
function applyMemory(
  domain: JsonMap,
  { guest, hugepages, maxGuest, overcommitPercent }: JsonMap,
): void {
  Object.assign(within(domain, 'memory'), filled({ guest, hugepages, maxGuest }))
  const percent = Number(overcommitPercent ?? 0)
  if (percent <= 0) return
  const bytes = Math.trunc((numberOf(guest) ?? 0) * (1 - percent / 100))
  const isBinary = read.text(guest).endsWith('i')
  within(domain, 'resources', 'requests').memory =
    isBinary && bytes % 1024 === 0 ? canonical(`${bytes / 1024}Ki`) : canonical(bytes)
}
