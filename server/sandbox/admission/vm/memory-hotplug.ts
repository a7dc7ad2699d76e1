import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { canonical, numberOf } from '../../quantity.ts'

const mebi = 2 ** 20
const gibi = 2 ** 30

/** Returns the reason why a VMI cannot grow its memory to this limit; null when it can. */
export function whyNoMemoryHotplug(spec: JsonMap, maxGuest: unknown): string | null {
  const { cpu, memory, launchSecurity } = read.map(spec.domain)
  if (read.at(cpu, 'realtime') !== undefined)
    return 'Memory hotplug is not compatible with realtime VMs'
  if (read.at(cpu, 'numa', 'guestMappingPassthrough') !== undefined)
    return 'Memory hotplug is not compatible with guest mapping passthrough'
  if (launchSecurity !== undefined) return 'Memory hotplug is not compatible with encrypted VMs'
  const guest = read.at(memory, 'guest')
  if (guest === undefined) return 'Guest memory must be configured when memory hotplug is enabled'
  const block = read.at(memory, 'hugepages', 'pageSize') === '1Gi' ? gibi : 2 * mebi
  return whyNoSizes(
    { guest: numberOf(guest) ?? 0, most: numberOf(maxGuest) ?? 0, block },
    read.text(spec.architecture),
  )
}

interface Bytes {
  guest: number
  most: number
  block: number
}

function whyNoSizes({ guest, most, block }: Bytes, architecture: string): string | null {
  const alignment = canonical(`${block / mebi}Mi`)
  if (guest > most) return 'Guest memory is greater than the configured maxGuest memory'
  if (guest % block !== 0) return `Guest memory must be ${alignment} aligned`
  if (most % block !== 0) return `MaxGuest must be ${alignment} aligned`
  if (architecture !== 'amd64') return 'Memory hotplug is only available for x86_64 VMs'
  return guest < gibi
    ? 'Memory hotplug is only available for VMs with at least 1Gi of guest memory'
    : null
}
