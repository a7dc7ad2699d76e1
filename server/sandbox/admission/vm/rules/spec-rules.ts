import { accessCredentials } from './access-credentials.ts'
import { bootOrder } from './boot-order.ts'
import { cpu } from './cpu.ts'
import { devices } from './devices.ts'
import { disks } from './disks.ts'
import { firmware } from './firmware.ts'
import { launchSecurity } from './launch-security.ts'
import { memory } from './memory.ts'
import { names } from './names.ts'
import { networks } from './networks.ts'
import { pinning } from './pinning.ts'
import { placement } from './placement.ts'
import { probes } from './probes.ts'
import { resourceClaims } from './resource-claims.ts'
import { type Rule } from './rule.ts'
import { strategies } from './strategies.ts'
import { volumes } from './volumes.ts'

/**
 * What is asked of every instance, and of every VM for the instance that it would have, in
 * KubeVirt's order.
 */
const rules: readonly Rule[] = [
  names.hostname,
  names.subdomain,
  memory.requests,
  memory.limits,
  memory.hugepages,
  memory.guestWithinLimit,
  firmware.machine,
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

export const specCauses: Rule = (asked) => rules.flatMap((rule) => rule(asked))
