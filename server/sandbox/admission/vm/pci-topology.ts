import { type JsonMap } from '../../objects/types.ts'
import { read } from '../../objects/read.ts'
import { setUnset, within } from '../../objects/vms/draft.ts'

/** True when the machine type supports PCIe hotplug. */
export function hasPcieHotplug({ architecture, domain }: JsonMap): boolean {
  if (!['amd64', 'arm64', ''].includes(read.text(architecture))) return false
  const hardware = read.at(domain, 'machine')
  const type = read.text(read.at(hardware, 'type'))
  return hardware === undefined || type.includes('q35') || type.startsWith('virt')
}

/** Records the layout of the PCI bus, so that devices keep their addresses in the guest. */
export const markTopology = (metadata: JsonMap): void =>
  setUnset(within(metadata, 'annotations'), { 'kubevirt.io/pci-topology-version': 'v3' })
