import { type OperationView } from '../../domain/operation/operation.ts'
import { type ChangeApplies, type VmView } from '../../domain/vm/vm.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'
import { nextOrdinal, nicChangeApplies } from '../../domain/nic/change.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { type VmBounds } from '../vm/create-vm.ts'
import { answerWith, vmToChange } from '../vm/own-vm.ts'
import { nicPlaces } from './nic-places.ts'

export interface NetworkOfVm {
  vmId: string
  networkId: string
}

export interface RewiredVm {
  vm: VmView
  operation: OperationView
  applies: ChangeApplies
}

/** Asks for a machine to be in one more network: a private one, or the public one. */
export async function attachNetwork(
  op: Op,
  { vmId, networkId }: NetworkOfVm,
  { networking: settings, quotaDefaults: defaults }: VmBounds,
): Promise<RewiredVm> {
  const { row, mustAllow } = await vmToChange(op, { id: vmId })
  mustAllow('attachNetwork')
  const { tenantId } = row
  const nics = await op.nics.ofVm(row.id)
  const podNetwork = nics.some(({ kind }) => kind === 'pod')
  const wanted = networkId.toLowerCase() === publicNetwork.id ? { publicIp: true } : { networkIds: [networkId] }
  await mustFit(op, { tenantId, defaults, asked: { publicAddresses: wanted.publicIp ? 1 : 0 } })
  const places = await nicPlaces(op, { tenantId, asked: { ...wanted, podNetwork }, settings })
  const ordinal = nextOrdinal(nics, networkId.toLowerCase())
  const added = places.map((place) => ({ ...place, ordinal, mac: newMac() }))
  await op.nics.insert({ vmId: row.id, tenantId, restSeconds: settings.addressRestSeconds }, added)
  const applies = nicChangeApplies(row.state)
  op.vms.changeParts(row)
  op.work.ring('vm_guard', await op.vmGuards.rewired(row))
  return { ...(await answerWith(op, row, 'attach_network')), applies }
}
