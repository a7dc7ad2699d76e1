import { leavingNic } from '../../domain/nic/change.ts'
import { nicDetachment } from '../../domain/nic/hotplug.ts'
import { type Op } from '../../store/op.ts'
import { respondWithOperation, lockVm } from '../vm/lock-vm.ts'
import {
  type VmNetworkRequest,
  type NicChangeResult,
  type NicChangeBounds,
  reportedChange,
  vmFrom,
} from './attach-network.ts'

/**
 * Detaches a VM from a network. The address becomes free when the guest has released the NIC and
 * the rest period is over.
 */
export async function detachNetwork(
  op: Op,
  { networkId, ...request }: VmNetworkRequest,
  { networking }: Pick<NicChangeBounds, 'networking'>,
): Promise<NicChangeResult> {
  const { row, mustAllow } = await lockVm(op, vmFrom(request))
  const nics = await op.nics.ofVm(row.id)
  const nic = leavingNic({ name: row.name, nics }, networkId.toLowerCase())
  mustAllow('detachNetwork')
  const change = nicDetachment({ state: row.state, obstacles: networking.nicHotplugObstacles() })
  await op.nics.requestLeave(nic.id, change.waitsFor)
  op.vms.requestNicChange(row, { isLive: change.applies === 'while_running' })
  op.work.enqueue('vm_firewall', await op.vmFirewalls.incrementForNetworks(row))
  return { ...(await respondWithOperation(op, row, 'detach_network')), ...reportedChange(change) }
}
