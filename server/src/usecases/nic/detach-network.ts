import { leavingNic, nicChangeApplies } from '../../domain/nic/change.ts'
import { type Op } from '../../store/op.ts'
import { answerWith, vmToChange } from '../vm/own-vm.ts'
import { type NetworkOfVm, type RewiredVm } from './attach-network.ts'

/** Asks for a machine to be taken out of a network. Its address is free when no guest has it any more and it has rested. */
export async function detachNetwork(op: Op, { vmId, networkId }: NetworkOfVm): Promise<RewiredVm> {
  const { row, mustAllow } = await vmToChange(op, { id: vmId })
  const nics = await op.nics.ofVm(row.id)
  const nic = leavingNic(nics, networkId.toLowerCase())
  mustAllow('detachNetwork')
  await op.nics.requestLeave(nic.id)
  const applies = nicChangeApplies(row.state)
  op.vms.changeParts(row)
  op.work.ring('vm_guard', await op.vmGuards.rewired(row))
  return { ...(await answerWith(op, row, 'detach_network')), applies }
}
