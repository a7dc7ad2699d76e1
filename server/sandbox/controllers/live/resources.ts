import { numberOf } from '../../quantity.ts'
import { type Json, type JsonMap, type KubeObject } from '../../objects/types.ts'
import { conditionOf, isTrue } from '../../objects/vms/conditions.ts'
import { isMigrating } from '../../objects/migrations/state.ts'
import { read } from '../../objects/read.ts'
import { templateOf } from './template.ts'
import { type Verdict, nothing, restart } from './verdict.ts'

const refuse = (reason: string, message: string): Verdict => ({
  do: 'refuse',
  error: { reason, message },
})

const vcpusOf = (cpu: JsonMap): number =>
  Number(cpu.sockets ?? 1) * Number(cpu.cores ?? 1) * Number(cpu.threads ?? 1)

/**
 * More sockets are hotplugged and reach the guest with the next migration; fewer require a restart.
 */
export function cpuVerdict(vm: KubeObject, vmi: KubeObject): Verdict {
  const desired = read.at(templateOf(vm).spec, 'domain', 'cpu')
  const actual = read.at(vmi.spec, 'domain', 'cpu')
  const sockets = Number(read.map(desired).sockets ?? 1)
  const current = Number(read.map(actual).sockets ?? 1)
  if (desired === undefined || actual === undefined || sockets === current) return nothing
  const refusal = cpuRefusal(vm, vmi, sockets)
  if (refusal !== null) return refusal
  const spec = withDomain(vmi, { cpu: { ...read.map(actual), sockets } })
  const deltaMilli = (vcpusOf(read.map(desired)) - vcpusOf(read.map(actual))) * 100
  return {
    do: 'change',
    spec: withResources(
      spec,
      'cpu',
      (old) => `${Math.round((numberOf(old) ?? 0) * 1000) + deltaMilli}m`,
    ),
  }
}

function cpuRefusal(vm: KubeObject, vmi: KubeObject, sockets: number): Verdict | null {
  const actual = read.map(read.at(vmi.spec, 'domain', 'cpu'))
  const handling = 'Error encountered while handling CPU change request'
  if (isTrue(vmi, 'HotVCPUChange'))
    return refuse('HotPlugCPUError', `${handling}: another CPU hotplug is in progress`)
  if (isMigrating(vmi))
    return refuse(
      'HotPlugCPUError',
      `${handling}: CPU hotplug is not allowed while VMI is migrating`,
    )
  if (sockets > Number(actual.maxSockets ?? 0))
    return restart("CPU sockets updated in template spec to a value higher than what's available")
  if (sockets < Number(actual.sockets ?? 1))
    return restart('Reduction of CPU socket count requires a restart')
  return templateOf(vm).spec.architecture === 'arm64'
    ? restart("ARM doesn't support CPU hotplug")
    : null
}

/**
 * More memory is hotplugged and reaches the guest with the next migration; less requires a restart.
 */
export function memoryVerdict(vm: KubeObject, vmi: KubeObject): Verdict {
  const { spec: template } = templateOf(vm)
  const desired = read.at(template, 'domain', 'memory', 'guest')
  const actual = read.at(vmi.spec, 'domain', 'memory', 'guest')
  const current = read.at(vmi.status, 'memory', 'guestCurrent')
  if (desired === undefined || actual === undefined || current === undefined) return nothing
  if (conditionOf(vmi, 'HotMemoryChange')?.status === 'False')
    return restart(
      'memory updated in template spec. Memory-hotplug failed and is not available for this VM configuration',
    )
  if (bytes(desired) === bytes(actual)) return nothing
  const refusal = memoryRefusal(vmi, template, desired)
  if (refusal !== null) return refusal
  const delta = bytes(desired) - bytes(current)
  const spec = withDomain(vmi, {
    memory: { ...read.map(read.at(vmi.spec, 'domain', 'memory')), guest: desired },
  })
  return {
    do: 'change',
    spec: withResources(spec, 'memory', (old) =>
      sized(Math.max(bytes(old) + delta, bytes(desired))),
    ),
  }
}

function memoryRefusal(vmi: KubeObject, template: JsonMap, desired: Json): Verdict | null {
  const max = read.at(vmi.spec, 'domain', 'memory', 'maxGuest')
  if (!isTrue(vmi, 'LiveMigratable'))
    return restart(
      'memory updated in template spec. Memory-hotplug is only available for migratable VMs',
    )
  if (max === undefined)
    return restart(
      'memory updated in template spec. Memory-hotplug is not available for this VM configuration',
    )
  const handling = 'error encountered while handling memory hotplug requests'
  if (isTrue(vmi, 'HotMemoryChange'))
    return refuse('HotPlugMemoryError', `${handling}: another memory hotplug is in progress`)
  if (isMigrating(vmi))
    return refuse(
      'HotPlugMemoryError',
      `${handling}: memory hotplug is not allowed while VMI is migrating`,
    )
  const unfit = unfitMemory(template, desired, max)
  if (unfit !== null) return restart(`memory hotplug not supported, ${unfit}`)
  if (bytes(desired) < bytes(read.at(vmi.status, 'memory', 'guestAtBoot') ?? desired))
    return restart('memory updated in template spec to a value lower than what the VM started with')
  return null
}

const gibibyte = 2 ** 30
const blockMi = 2

function unfitMemory(template: JsonMap, desired: Json, max: Json): string | null {
  const domain = read.map(template.domain)
  const block =
    read.at(domain, 'memory', 'hugepages', 'pageSize') === '1Gi' ? gibibyte : blockMi * 2 ** 20
  const alignment = block === gibibyte ? '1Gi' : `${blockMi}Mi`
  if (read.at(domain, 'cpu', 'realtime') !== undefined)
    return 'Memory hotplug is not compatible with realtime VMs'
  if (read.at(domain, 'cpu', 'numa', 'guestMappingPassthrough') !== undefined)
    return 'Memory hotplug is not compatible with guest mapping passthrough'
  if (domain.launchSecurity !== undefined)
    return 'Memory hotplug is not compatible with encrypted VMs'
  if (bytes(desired) > bytes(max))
    return 'Guest memory is greater than the configured maxGuest memory'
  if (bytes(desired) % block !== 0) return `Guest memory must be ${alignment} aligned`
  if (bytes(max) % block !== 0) return `MaxGuest must be ${alignment} aligned`
  return bytes(desired) < gibibyte
    ? 'Memory hotplug is only available for VMs with at least 1Gi of guest memory'
    : null
}

const bytes = (quantity: Json | undefined): number => numberOf(quantity) ?? 0

const sized = (amount: number): string =>
  amount % 2 ** 20 === 0 ? `${amount / 2 ** 20}Mi` : String(amount)

const withDomain = (vmi: KubeObject, part: JsonMap): JsonMap => ({
  ...read.spec(vmi),
  domain: { ...read.map(read.spec(vmi).domain), ...part },
})

/** Adapts requests and limits of the resource where the spec sets them. */
function withResources(spec: JsonMap, resource: string, next: (old: Json) => string): JsonMap {
  const domain = read.map(spec.domain)
  const moved = Object.entries(read.map(domain.resources)).map(
    ([kind, value]): [string, Json | undefined] => {
      const old = read.map(value)[resource]
      return [kind, old === undefined ? value : { ...read.map(value), [resource]: next(old) }]
    },
  )
  return domain.resources === undefined
    ? spec
    : { ...spec, domain: { ...domain, resources: Object.fromEntries(moved) } }
}
