import { abbreviatedList } from '../../engine/model/abbreviated-list.ts'
import { Fault } from '../../engine/model/fault.ts'
import { messageOf } from '../../engine/model/message.ts'

/** A VM with a NIC in a network. */
export interface VmInNetwork {
  name: string
  deleting: boolean
}

const usedBy = { network: 'network.used_by', vpc: 'vpc.used_by' } as const

/** Returns the fault for the deletion of a network or VPC that still has VMs. */
export const usedByVms = (
  noun: keyof typeof usedBy,
  name: string,
  vms: readonly VmInNetwork[],
): Fault =>
  new Fault(
    'in_use',
    messageOf(usedBy[noun], { name, vms: abbreviatedList(vms.map((vm) => vm.name)) }),
    { transient: vms.every(({ deleting }) => deleting) },
  )
