import * as schemaTypes from '../../objects/schema.ts'
import { devices, typed } from './devices.ts'
import { feature } from './disks.ts'

/*
 * Schemas of `spec.domain` of a VMI: CPU, memory, firmware and devices. The kinds VM, VMI, instance
 * type and preference share them.
 */
const { each, empty, flag, int, int32, list, object, oneOf, quantities, quantity, structOf, text } =
  schemaTypes

export const cpuFeatures = list(object(each(text, 'name', 'policy'), 'name'))
export const numa = structOf(empty, 'guestMappingPassthrough')
export const realtime = structOf(text, 'mask')

const cpu = object({
  ...each(int32, 'cores', 'maxSockets', 'sockets', 'threads'),
  ...each(flag, 'dedicatedCpuPlacement', 'isolateEmulatorThread'),
  features: cpuFeatures,
  model: text,
  numa,
  realtime,
})

export const hugepages = structOf(text, 'pageSize')
export const ioThreads = structOf(int32, 'supplementalPoolThreadCount')

const memory = object({
  ...each(quantity, 'guest', 'maxGuest'),
  hugepages,
  reservedOverhead: object({ addedOverhead: quantity, memLock: oneOf('NotRequired', 'Required') }),
})

const presence = structOf(flag, 'present')
const tickingTimer = object({ present: flag, tickPolicy: text })

export const utcOffset = structOf(int, 'offsetSeconds')
export const timers = object({
  hpet: tickingTimer,
  hyperv: presence,
  kvm: presence,
  pit: tickingTimer,
  rtc: object({ present: flag, ...each(text, 'tickPolicy', 'track') }),
})

export const apic = structOf(flag, 'enabled', 'endOfInterrupt')
export const hiddenKvm = structOf(flag, 'hidden')

export const hyperv = object({
  ...each(
    feature,
    'evmcs',
    'frequencies',
    'ipi',
    'reenlightenment',
    'relaxed',
    'reset',
    'runtime',
    'synic',
    'vapic',
    'vpindex',
  ),
  spinlocks: object({ enabled: flag, spinlocks: int32 }),
  synictimer: object({ enabled: flag, direct: feature }),
  tlbflush: object({ enabled: flag, ...each(feature, 'direct', 'extended') }),
  vendorid: object({ enabled: flag, vendorid: text }),
})

const features = object({
  ...each(feature, 'acpi', 'hypervPassthrough', 'pvspinlock', 'smm'),
  apic,
  hyperv,
  kvm: hiddenKvm,
})

export const efi = structOf(flag, 'persistent', 'secureBoot')

const firmware = object({
  ...each(text, 'serial', 'uuid'),
  acpi: structOf(text, 'msdmNameRef', 'slicNameRef'),
  bootloader: object({ bios: structOf(flag, 'useSerial'), efi }),
  kernelBoot: object({
    kernelArgs: text,
    container: object(
      each(text, 'image', 'imagePullPolicy', 'imagePullSecret', 'initrdPath', 'kernelPath'),
      'image',
    ),
  }),
})

export const launchSecurity = object({
  ...each(empty, 'snp', 'tdx'),
  sev: object({
    attestation: empty,
    ...each(text, 'dhCert', 'session'),
    policy: structOf(flag, 'encryptedState'),
  }),
})

export const domain = object(
  {
    chassis: structOf(text, 'asset', 'manufacturer', 'serial', 'sku', 'version'),
    clock: {
      ...object({ timer: timers, timezone: text, utc: utcOffset }),
      'x-kubernetes-preserve-unknown-fields': true,
    },
    cpu,
    devices,
    features,
    firmware,
    ioThreads,
    ioThreadsPolicy: text,
    launchSecurity,
    machine: typed,
    memory,
    rebootPolicy: oneOf('Reboot', 'Terminate'),
    resources: object({ ...each(quantities, 'limits', 'requests'), overcommitGuestOverhead: flag }),
  },
  'devices',
)
