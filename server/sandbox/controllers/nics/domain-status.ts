import { type JsonMap, type KubeObject } from '../../objects/types.ts'
import { macOf } from '../vms/mac-address.ts'
import { read } from '../../objects/read.ts'
import { podNicName } from './nic-naming.ts'

/** The status of a NIC that the libvirt domain of the guest has. */
export const domainStatus = (vmi: KubeObject, { name = '', macAddress }: JsonMap): JsonMap => ({
  name,
  mac: macAddress ?? macOf(vmi, read.text(name)),
  podInterfaceName: podNicName(vmi, read.text(name)),
  infoSource: 'domain',
  queueCount: 1,
  linkState: 'up',
})
