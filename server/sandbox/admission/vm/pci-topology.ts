import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'

/** Whether devices can be plugged into the bus of the machine. */
export function hasPcieHotplug({ architecture, domain }: JsonMap): boolean {
  if (!['amd64', 'arm64', ''].includes(read.text(architecture))) return false
  const machine = read.at(domain, 'machine')
  const type = read.text(read.at(machine, 'type'))
  return machine === undefined || type.includes('q35') || type.startsWith('virt')
}

/** How the bus is laid out, so that a guest finds its devices where they were. */
export const markTopology = (metadata: JsonMap): void =>
  setUnset(within(metadata, 'annotations'), { 'kubevirt.io/pci-topology-version': 'v3' })
