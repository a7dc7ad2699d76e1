import { type Block, blockFromText, blocks } from '../../domain/network/block.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type TakenBlock } from '../../domain/network/plan.ts'
import { autoBlock, mustBeFree } from '../../domain/network/free-block.ts'
import { gatewayOf, networkPlan, requireNetworkCidr } from '../../domain/network/rules.ts'
import { invalid } from '../../engine/model/name.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface AddNetworkRequest {
  vpc: Pick<VpcView, 'id' | 'tenantId' | 'name' | 'cidr' | 'namespace'>
  name: string
  isDefault: boolean
  /** Without it, the plan chooses a block. */
  cidr?: string | null
  prefix?: number | null
}

/** Adds a network to a VPC that is locked, or that no other transaction can see yet. */
export async function addNetwork(
  op: Op,
  { vpc, name, isDefault, ...cidrRequest }: AddNetworkRequest,
  taken: readonly TakenBlock[],
): Promise<NetworkView> {
  const block = blockFor(vpc, cidrRequest, taken)
  const network = await op.networks.insert({
    tenantId: vpc.tenantId,
    vpcId: vpc.id,
    vpcCidr: vpc.cidr,
    attachmentNamespace: vpc.namespace,
    name,
    isDefault,
    cidr: blocks.text(block),
    requestedCidr: cidrRequest.cidr?.trim() || null,
    gateway: gatewayOf(block),
  })
  op.changes.record('network', { id: network.id, version: network.version, tenantId: vpc.tenantId })
  return network
}

function blockFor(
  vpc: AddNetworkRequest['vpc'],
  { cidr, prefix }: Pick<AddNetworkRequest, 'cidr' | 'prefix'>,
  taken: readonly TakenBlock[],
): Block {
  const space = blockFromText(vpc.cidr)
  if (!space) throw new TypeError(`${vpc.cidr} is not a block of addresses`)
  const block = cidr
    ? requireNetworkCidr(cidr, space)
    : autoBlock(networkPlan(space, taken, prefix), (prefix) =>
        messageOf('network.vpc_exhausted', { prefix, vpc: vpc.name }),
      )
  if (cidr && prefix && block.prefix !== prefix)
    throw invalid('prefix', messageOf('network.prefix_misfit'))
  mustBeFree(block, taken)
  return block
}
