import { leavingNic } from '../../domain/nic/change.ts'
import { nicDetachment } from '../../domain/nic/live.ts'
import { type Op } from '../../store/op.ts'
import { answerWith, vmToChange } from '../vm/own-vm.ts'
import { type NetworkOfVm, type RewiredVm, type RewiringBounds, toldOf } from './attach-network.ts'

/**
 * Detaches a VM from a network. The address becomes free when the guest has released the NIC and
 * the rest period is over.
 */
export async function detachNetwork(
  op: Op,
  { vmId, networkId }: NetworkOfVm,
  { networking }: Pick<RewiringBounds, 'networking'>,
): Promise<RewiredVm> {
  const { row, mustAllow } = await vmToChange(op, { id: vmId })
  const nics = await op.nics.ofVm(row.id)
  const nic = leavingNic(nics, networkId.toLowerCase())
  mustAllow('detachNetwork')
  const change = nicDetachment({ state: row.state, hindrances: networking.nicHindrances() })
  await op.nics.requestLeave(nic.id, change.waitsFor)
  op.vms.rewire(row, { isLive: change.applies === 'while_running' })
  op.work.ring('vm_guard', await op.vmGuards.rewired(row))
  return { ...(await answerWith(op, row, 'detach_network')), ...toldOf(change) }
}
