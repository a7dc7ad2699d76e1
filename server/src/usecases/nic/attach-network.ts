import { type OperationView } from '../../domain/operation/operation.ts'
import { type ChangeApplies, type VmView } from '../../domain/vm/vm.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'
import { nextOrdinal } from '../../domain/nic/change.ts'
import { type ColdReason } from '../../domain/nic/cold.ts'
import { type NicChange, nicAttachment } from '../../domain/nic/live.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { answerWith, vmToChange } from '../vm/own-vm.ts'
import { type NicSettings, nicPlaces } from './nic-places.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface NetworkOfVm {
  vmId: string
  networkId: string
}

export interface RewiringBounds {
  quotaDefaults: QuotaLimits
  networking: NicSettings & Pick<Networking, 'nicHindrances'>
}

export interface RewiredVm {
  vm: VmView
  operation: OperationView
  applies: ChangeApplies
  /** Why not while the VM runs; null where that is no question. */
  waitsFor: ColdReason | null
  /** The same in words for a user. */
  because: Message | null
}

/** Asks for a machine to be in one more network: a private one, or the public one. */
export async function attachNetwork(
  op: Op,
  { vmId, networkId }: NetworkOfVm,
  { networking: settings, quotaDefaults: defaults }: RewiringBounds,
): Promise<RewiredVm> {
  const { row, mustAllow } = await vmToChange(op, { id: vmId })
  mustAllow('attachNetwork')
  const { tenantId } = row
  const nics = await op.nics.ofVm(row.id)
  const podNetwork = nics.some(({ kind }) => kind === 'pod')
  const wanted =
    networkId.toLowerCase() === publicNetwork.id ? { publicIp: true } : { networkIds: [networkId] }
  await mustFit(op, { tenantId, defaults, asked: { publicAddresses: wanted.publicIp ? 1 : 0 } })
  const places = await nicPlaces(op, { tenantId, asked: { ...wanted, podNetwork }, settings })
  const ordinal = nextOrdinal(nics, networkId.toLowerCase())
  const [network] = await op.reads.networks.findAll(wanted.networkIds ?? [])
  const stays = row.stays ?? null
  const change = nicAttachment({
    state: row.state,
    stays,
    driver: network?.driver ?? null,
    hindrances: settings.nicHindrances(),
  })
  const added = places.map((place) => ({
    ...place,
    ordinal,
    mac: newMac(),
    waitsFor: change.waitsFor,
  }))
  await op.nics.insert({ vmId: row.id, tenantId, restSeconds: settings.addressRestSeconds }, added)
  op.vms.rewire(row, { isLive: change.applies === 'while_running' })
  op.work.ring('vm_guard', await op.vmGuards.rewired(row))
  return { ...(await answerWith(op, row, 'attach_network')), ...toldOf(change) }
}

/** As a user is told of it. */
export const toldOf = ({ applies, waitsFor }: NicChange): Omit<RewiredVm, 'vm' | 'operation'> => ({
  applies,
  waitsFor,
  because: waitsFor && messageOf(`nic.because.${waitsFor}`),
})
