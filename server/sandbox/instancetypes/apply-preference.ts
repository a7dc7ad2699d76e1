import { setUnset, within } from '../objects/vms/draft.ts'
import { type Json, type JsonMap } from '../objects/types.ts'
import { filled, read } from '../objects/read.ts'
import { type Template } from './apply-instancetype.ts'

/** Fills unset fields of a draft with the preferred values. */
export function applyPreference({ spec, metadata }: Template, preference: JsonMap): void {
  const domain = within(spec, 'domain')
  applyCpuFeatures(domain, read.maps(read.at(preference.cpu, 'preferredCPUFeatures')))
  if (preference.devices !== undefined) applyDevices(spec, read.map(preference.devices))
  if (preference.features !== undefined)
    applyFeatures(within(domain, 'features'), read.map(preference.features))
  if (preference.firmware !== undefined)
    applyFirmware(within(domain, 'firmware', 'bootloader'), read.map(preference.firmware))
  const machineType = read.at(preference.machine, 'preferredMachineType')
  if (machineType !== undefined) setUnset(within(domain, 'machine'), { type: machineType })
  if (preference.clock !== undefined)
    applyClock(within(domain, 'clock'), read.map(preference.clock))
  setUnset(spec, {
    subdomain: preference.preferredSubdomain,
    terminationGracePeriodSeconds: preference.preferredTerminationGracePeriodSeconds,
    architecture: preference.preferredArchitecture || undefined,
  })
  const annotations = read.map(preference.annotations)
  if (Object.keys(annotations).length > 0) setUnset(within(metadata, 'annotations'), annotations)
  setUnset(domain, { launchSecurity: preference.preferredLaunchSecurity })
}

function applyCpuFeatures(domain: JsonMap, preferred: readonly JsonMap[]): void {
  if (preferred.length === 0) return
  const cpu = within(domain, 'cpu')
  const own = read.maps(cpu.features)
  cpu.features = [
    ...own,
    ...preferred.filter(({ name }) => !own.some((feature) => feature.name === name)),
  ]
}

/**
 * The preferred autoattach settings. KubeVirt also applies them to a VM without an instance type.
 */
function autoattached(preferred: JsonMap): JsonMap {
  const deviceNames = [
    'GraphicsDevice',
    'MemBalloon',
    'PodInterface',
    'SerialConsole',
    'InputDevice',
  ]
  return filled(
    Object.fromEntries(
      deviceNames.map((each) => [`autoattach${each}`, preferred[`preferredAutoattach${each}`]]),
    ),
  )
}

function applyDevices(spec: JsonMap, preferred: JsonMap): void {
  const devices = within(spec, 'domain', 'devices')
  setUnset(devices, {
    useVirtioTransitional: preferred.preferredUseVirtioTransitional,
    blockMultiQueue: preferred.preferredBlockMultiQueue,
    networkInterfaceMultiqueue: preferred.preferredNetworkInterfaceMultiQueue,
    rng: preferred.preferredRng,
    tpm: preferred.preferredTPM,
    ...autoattached(preferred),
  })
  // KubeVirt cannot tell whether the VM set this field, so the preference overrides it.
  if (preferred.preferredDisableHotplug !== undefined)
    devices.disableHotplug = preferred.preferredDisableHotplug
  if (devices.sound !== undefined)
    setUnset(within(devices, 'sound'), { model: preferred.preferredSoundModel })
  if (preferred.preferredVideoType !== undefined)
    setUnset(within(devices, 'video'), { type: preferred.preferredVideoType })
  for (const disk of read.maps(devices.disks)) applyDisk(disk, preferred)
  for (const each of read.maps(devices.interfaces))
    applyInterface(each, preferred, read.maps(spec.networks))
  for (const input of read.maps(devices.inputs)) {
    setUnset(input, { bus: preferred.preferredInputBus, type: preferred.preferredInputType })
  }
  applyPanicModel(devices, preferred.preferredPanicDeviceModel)
}

function applyPanicModel(devices: JsonMap, model: Json | undefined): void {
  if (model === undefined) return
  const own = read.maps(devices.panicDevices)
  if (own.length === 0) devices.panicDevices = [{ model }]
  for (const device of own) setUnset(device, { model })
}

function applyDisk(disk: JsonMap, preferred: JsonMap): void {
  const kind =
    (['disk', 'cdrom', 'lun'] as const).find((each) => disk[each] !== undefined) ?? 'disk'
  const bus = {
    disk: preferred.preferredDiskBus,
    cdrom: preferred.preferredCdromBus,
    lun: preferred.preferredLunBus,
  }[kind]
  const target = within(disk, kind)
  setUnset(target, { bus })
  if (kind !== 'disk') return
  setUnset(disk, {
    blockSize: preferred.preferredDiskBlockSize,
    cache: preferred.preferredDiskCache,
    io: preferred.preferredDiskIO,
    dedicatedIOThread:
      target.bus === 'virtio' ? preferred.preferredDiskDedicatedIoThread : undefined,
  })
}

const bindings = [
  'bridge',
  'masquerade',
  'sriov',
  'passtBinding',
  'binding',
  'slirp',
  'macvtap',
  'passt',
]

function applyInterface(each: JsonMap, preferred: JsonMap, networks: readonly JsonMap[]): void {
  setUnset(each, { model: preferred.preferredInterfaceModel })
  const onPod = networks.some(({ name, pod }) => name === each.name && pod !== undefined)
  const isFree = bindings.every((binding) => each[binding] === undefined)
  if (onPod && isFree) setUnset(each, { masquerade: preferred.preferredInterfaceMasquerade })
}

function applyFeatures(features: JsonMap, preferred: JsonMap): void {
  // KubeVirt cannot tell whether the VM set this field, so the preference overrides it.
  features.acpi = preferred.preferredAcpi ?? features.acpi ?? {}
  setUnset(features, { apic: preferred.preferredApic, kvm: preferred.preferredKvm })
  setUnset(features, { pvspinlock: preferred.preferredPvspinlock, smm: preferred.preferredSmm })
  if (preferred.preferredHyperv !== undefined)
    setUnset(within(features, 'hyperv'), read.map(preferred.preferredHyperv))
}

function applyFirmware(bootloader: JsonMap, preferred: JsonMap): void {
  const isFree = (): boolean => bootloader.bios === undefined && bootloader.efi === undefined
  if (preferred.preferredUseBios === true && isFree()) bootloader.bios = {}
  if (bootloader.bios !== undefined)
    setUnset(within(bootloader, 'bios'), { useSerial: preferred.preferredUseBiosSerial })
  if (preferred.preferredEfi !== undefined && isFree()) {
    bootloader.efi = preferred.preferredEfi
    return
  }
  if (preferred.preferredUseEfi === true && isFree()) bootloader.efi = {}
  if (bootloader.efi !== undefined)
    setUnset(within(bootloader, 'efi'), { secureBoot: preferred.preferredUseSecureBoot })
}

function applyClock(clock: JsonMap, { preferredClockOffset, preferredTimer }: JsonMap): void {
  if (clock.utc === undefined && clock.timezone === undefined)
    Object.assign(clock, preferredClockOffset)
  setUnset(clock, { timer: preferredTimer })
}
