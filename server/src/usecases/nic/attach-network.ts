import { type OperationView } from '../../domain/operation/operation.ts'
import { type ChangeApplies, type VmView } from '../../domain/vm/vm.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { publicNetwork } from '../../domain/network/public-network.ts'
import { nextOrdinal } from '../../domain/nic/change.ts'
import { type NicWaitReason } from '../../domain/nic/wait-reasons.ts'
import { type NicChange, nicAttachment } from '../../domain/nic/hotplug.ts'
import { newMac } from '../../runtime/mac.ts'
import { type Op } from '../../store/op.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { respondWithOperation, lockVm } from '../vm/lock-vm.ts'
import { type VmChangeRequest } from '../vm/named-vm.ts'
import { type NicSettings, allocateAddresses } from './allocate-addresses.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

export interface VmNetworkRequest {
  /** Exactly one of the two must be set. */
  vmId?: string | null
  vmName?: string | null
  networkId: string
  ifVersion?: number | null
}

export interface NicChangeBounds {
  quotaDefaults: QuotaLimits
  networking: NicSettings & Pick<NetworkSettings, 'nicHotplugObstacles'>
}

export interface NicChangeResult {
  vm: VmView
  operation: OperationView
  applies: ChangeApplies
  /** Why the change waits for the next start. Null when it does not. */
  waitsFor: NicWaitReason | null
  /** The reason as a sentence for the user. */
  because: Message | null
}

/** Attaches a VM to a private network or the public network. */
export async function attachNetwork(
  op: Op,
  { networkId, ...request }: VmNetworkRequest,
  { networking: settings, quotaDefaults: defaults }: NicChangeBounds,
): Promise<NicChangeResult> {
  const { row, mustAllow } = await lockVm(op, vmFrom(request))
  mustAllow('attachNetwork')
  const { tenantId } = row
  const nics = await op.nics.ofVm(row.id)
  const podNetwork = nics.some(({ kind }) => kind === 'pod')
  const networkChoice =
    networkId.toLowerCase() === publicNetwork.id ? { publicIp: true } : { networkIds: [networkId] }
  await mustFitQuota(op, {
    tenantId,
    defaults,
    requested: { publicAddresses: networkChoice.publicIp ? 1 : 0 },
  })
  const allocated = await allocateAddresses(op, {
    tenantId,
    request: { ...networkChoice, podNetwork },
    settings,
    purpose: 'attachment',
  })
  const [network] = await op.reads.networks.findAll(networkChoice.networkIds ?? [])
  const { name } = network ?? publicNetwork
  const ordinal = nextOrdinal(nics, {
    id: networkId.toLowerCase(),
    name,
    isPublic: 'publicIp' in networkChoice,
  })
  const stays = row.stays ?? null
  const change = nicAttachment({
    state: row.state,
    migrationObstacle: stays,
    driver: network?.driver ?? null,
    obstacles: settings.nicHotplugObstacles(),
  })
  const added = allocated.map((nic) => ({
    ...nic,
    ordinal,
    mac: newMac(),
    waitsFor: change.waitsFor,
  }))
  await op.nics.insert({ vmId: row.id, tenantId, restSeconds: settings.addressRestSeconds }, added)
  op.vms.requestNicChange(row, { isLive: change.applies === 'while_running' })
  op.work.enqueue('vm_firewall', await op.vmFirewalls.incrementForNetworks(row))
  return { ...(await respondWithOperation(op, row, 'attach_network')), ...reportedChange(change) }
}

export const vmFrom = ({
  vmId = null,
  vmName = null,
  ifVersion = null,
}: Omit<VmNetworkRequest, 'networkId'>): VmChangeRequest => ({
  id: vmId,
  name: vmName,
  fieldsOf: 'vm',
  ifVersion,
})

/** Returns the change as it is reported to the user. */
export const reportedChange = ({
  applies,
  waitsFor,
}: NicChange): Omit<NicChangeResult, 'vm' | 'operation'> => ({
  applies,
  waitsFor,
  because: waitsFor && messageOf(`nic.because.${waitsFor}`),
})
