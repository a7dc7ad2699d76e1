import { accessCredentials } from './rules/access-credentials.ts'
import { bootOrder } from './disk-rules/boot-order.ts'
import { cpu } from './rules/cpu.ts'
import { devices } from './rules/devices.ts'
import { disks } from './disk-rules/disks.ts'
import { firmware } from './rules/firmware.ts'
import { launchSecurity } from './rules/launch-security.ts'
import { memory } from './rules/memory.ts'
import { names } from './rules/names.ts'
import { networks } from './network-rules/networks.ts'
import { pinning } from './rules/pinning.ts'
import { placement } from './rules/placement.ts'
import { probes } from './rules/probes.ts'
import { resourceClaims } from './rules/resource-claims.ts'
import { type Rule } from './rules/rule.ts'
import { strategies } from './rules/strategies.ts'
import { volumes } from './disk-rules/volumes.ts'

/** The rules for every VMI, and for the template of every VM, in KubeVirt's order. */
const rules: readonly Rule[] = [
  names.hostname,
  names.subdomain,
  memory.requests,
  memory.limits,
  memory.hugepages,
  memory.guestWithinLimit,
  firmware.machineType,
  firmware.acpi,
  cpu.requests,
  cpu.limits,
  cpu.requestsWithinLimits,
  pinning,
  cpu.numa,
  cpu.isolatedEmulator,
  cpu.features,
  cpu.hotplug,
  strategies.start,
  cpu.realtime,
  placement.affinity,
  placement.spread,
  networks,
  resourceClaims,
  bootOrder,
  devices.inputs,
  devices.ioThreads,
  probes,
  disks,
  firmware.boot,
  volumes.sources,
  volumes.containerDisks,
  volumes.utility,
  accessCredentials,
  names.dns,
  strategies.eviction,
  devices.ramFb,
  devices.hostDevices,
  devices.sound,
  launchSecurity,
  devices.vsock,
  devices.downwardMetrics,
  devices.filesystems,
  devices.video,
  devices.panic,
  devices.rebootPolicy,
  memory.reservedOverhead,
  names.serviceAccount,
]

/** Returns the causes of all rules that a VMI spec breaks. */
export const specCauses: Rule = (context) => rules.flatMap((rule) => rule(context))
