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
  /** Why the change waits for the next start. Null when it does not. */
  waitsFor: ColdReason | null
  /** The reason as a sentence for the user. */
  because: Message | null
}

/** Attaches a VM to a private network or the public network. */
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
  const networkChoice =
    networkId.toLowerCase() === publicNetwork.id ? { publicIp: true } : { networkIds: [networkId] }
  await mustFit(op, {
    tenantId,
    defaults,
    requested: { publicAddresses: networkChoice.publicIp ? 1 : 0 },
  })
  const allocated = await nicPlaces(op, {
    tenantId,
    request: { ...networkChoice, podNetwork },
    settings,
  })
  const ordinal = nextOrdinal(nics, networkId.toLowerCase())
  const [network] = await op.reads.networks.findAll(networkChoice.networkIds ?? [])
  const stays = row.stays ?? null
  const change = nicAttachment({
    state: row.state,
    stays,
    driver: network?.driver ?? null,
    hindrances: settings.nicHindrances(),
  })
  const added = allocated.map((nic) => ({
    ...nic,
    ordinal,
    mac: newMac(),
    waitsFor: change.waitsFor,
  }))
  await op.nics.insert({ vmId: row.id, tenantId, restSeconds: settings.addressRestSeconds }, added)
  op.vms.rewire(row, { isLive: change.applies === 'while_running' })
  op.work.ring('vm_guard', await op.vmGuards.rewired(row))
  return { ...(await answerWith(op, row, 'attach_network')), ...toldOf(change) }
}

/** Returns the change as it is reported to the user. */
export const toldOf = ({ applies, waitsFor }: NicChange): Omit<RewiredVm, 'vm' | 'operation'> => ({
  applies,
  waitsFor,
  because: waitsFor && messageOf(`nic.because.${waitsFor}`),
})
