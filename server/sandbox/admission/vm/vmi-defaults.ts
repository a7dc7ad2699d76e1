import { randomUUID } from 'node:crypto'
import { type JsonMap, isMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { canonical, numberOf } from '../../quantity.ts'
import { type ClusterConfig } from '../../objects/vms/cluster-config.ts'
import { isUnset, setUnset, within } from '../../objects/vms/draft.ts'
import { whyNoMemoryHotplug } from './memory-hotplug.ts'
import { setDiskTargets, setSpecDefaults } from '../../objects/vms/spec-defaults.ts'

/** Sets the defaults of a new VMI in a draft of its spec. */
export function setVmiDefaults(spec: JsonMap, config: ClusterConfig): void {
  setSpecDefaults(spec, config)
  const domain = within(spec, 'domain')
  if (spec.architecture === 's390x')
    setUnset(within(domain, 'features', 'acpi'), { enabled: false })
  setUnset(within(domain, 'firmware'), { uuid: randomUUID() })
  setTimers(domain)
  setFeatures(domain)
  setDevices(spec)
  for (const probe of [spec.readinessProbe, spec.livenessProbe]) if (isMap(probe)) setProbe(probe)
  setEnlightenments(domain)
  setArchitecture(spec)
  setUnset(within(domain, 'cpu'), { model: 'host-model' })
  // KubeVirt does not support hotplug on arm64.
  if (spec.architecture !== 'arm64' && config.liveUpdates) setHotplug(spec, config)
}

function setTimers({ clock }: JsonMap): void {
  for (const timer of Object.values(read.map(read.at(clock, 'timer'))))
    if (isMap(timer)) setUnset(timer, { present: true })
}

/** Enables each listed feature that does not set `enabled`, and ACPI in any case. */
function setFeatures(domain: JsonMap): void {
  const features = within(domain, 'features')
  const { hyperv } = features
  const named = [
    within(features, 'acpi'),
    features.apic,
    features.smm,
    features.pvspinlock,
    ...Object.values(read.map(hyperv)),
  ]
  for (const feature of named) if (isMap(feature)) setUnset(feature, { enabled: true })
  const { spinlocks, synictimer, tlbflush } = read.map(hyperv)
  for (const part of [
    read.at(synictimer, 'direct'),
    read.at(tlbflush, 'direct'),
    read.at(tlbflush, 'extended'),
  ]) {
    if (isMap(part)) setUnset(part, { enabled: true })
  }
  if (isMap(spinlocks) && spinlocks.enabled === true) setUnset(spinlocks, { spinlocks: 4096 })
}

function setDevices(spec: JsonMap): void {
  const devices = within(spec, 'domain', 'devices')
  for (const input of read.maps(devices.inputs)) setUnset(input, { bus: 'usb', type: 'tablet' })
  for (const disk of read.maps(devices.disks)) {
    const match = read.at(disk.blockSize, 'matchVolume')
    if (isMap(match)) setUnset(match, { enabled: true })
  }
  for (const gpu of read.maps(devices.gpus)) {
    const ramFb = read.at(gpu.virtualGPUOptions, 'display', 'ramFB')
    if (isMap(ramFb)) setUnset(ramFb, { enabled: true })
  }
  setDiskTargets(spec)
}

const probeDefaults = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
}

function setProbe(probe: JsonMap): void {
  for (const [key, value] of Object.entries(probeDefaults))
    if (Number(probe[key] ?? 0) < 1) probe[key] = value
}

/** Which Hyper-V enlightenment requires which other one, with the base ones last. */
export const enlightenmentNeeds = [
  ['evmcs', 'vapic'],
  ['ipi', 'vpindex'],
  ['tlbflush', 'vpindex'],
  ['synictimer', 'synic'],
  ['synic', 'vpindex'],
] as const

/**
 * Enables required enlightenments that the spec does not mention. When the spec disables one, the
 * validator refuses the VMI later.
 */
function setEnlightenments(domain: JsonMap): void {
  const hyperv = read.at(domain, 'features', 'hyperv')
  if (!isMap(hyperv)) return
  for (const [feature, need] of enlightenmentNeeds) {
    if (read.at(hyperv, feature, 'enabled') !== true) continue
    if (read.at(hyperv, need, 'enabled') === false) break
    setUnset(within(hyperv, need), { enabled: true })
  }
  if (hyperv.evmcs !== undefined && read.at(hyperv, 'evmcs', 'enabled') !== false)
    requireVmx(within(domain, 'cpu'))
}

function requireVmx(cpu: JsonMap): void {
  const features = read.maps(cpu.features)
  const known = features.find(({ name }) => name === 'vmx')
  if (known) known.policy = 'require'
  else cpu.features = [...features, { name: 'vmx', policy: 'require' }]
}

function setArchitecture(spec: JsonMap): void {
  const { watchdog } = read.map(read.at(spec, 'domain', 'devices'))
  if (spec.architecture === 'arm64') setArmDefaults(within(spec, 'domain'))
  else if (isMap(watchdog))
    setUnset(within(watchdog, spec.architecture === 's390x' ? 'diag288' : 'i6300esb'), {
      action: 'reset',
    })
}

function setArmDefaults(domain: JsonMap): void {
  setUnset(within(domain, 'cpu'), { model: 'host-passthrough' })
  const firmware = within(domain, 'firmware')
  if (isUnset(firmware.bootloader)) firmware.bootloader = { efi: {} }
  const efi = read.at(firmware, 'bootloader', 'efi')
  if (isMap(efi)) setUnset(efi, { secureBoot: false })
}

const mostVcpus = 512

/** Sets the limits up to which CPU and memory can grow while the VMI runs. */
function setHotplug(spec: JsonMap, { maxHotplugRatio }: ClusterConfig): void {
  const cpu = within(spec, 'domain', 'cpu')
  if (Number(cpu.maxSockets ?? 0) === 0) cpu.maxSockets = mostSockets(cpu, maxHotplugRatio)
  const memory = within(spec, 'domain', 'memory')
  if (memory.maxGuest !== undefined || memory.guest === undefined) return
  const bytes = Math.ceil(numberOf(memory.guest) ?? 0) * maxHotplugRatio
  const maxGuest = bytes % 1024 === 0 ? canonical(`${bytes / 1024}Ki`) : String(bytes)
  if (whyNoMemoryHotplug(spec, maxGuest) === null) memory.maxGuest = maxGuest
}

function mostSockets(cpu: JsonMap, ratio: number): number {
  const [sockets = 0, perSocket = 0] = [
    Number(cpu.sockets ?? 0),
    Number(cpu.cores ?? 0) * Number(cpu.threads ?? 0),
  ]
  const most = sockets * ratio
  return most * perSocket > mostVcpus ? Math.max(Math.floor(mostVcpus / perSocket), sockets) : most
}
