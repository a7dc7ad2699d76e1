import { type Block, blocks } from '../../domain/network/block.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type NetworkSettings } from '../../domain/network/network-settings.ts'
import { autoBlock } from '../../domain/network/free-block.ts'
import { vpcPlan } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { addNetwork } from '../network/add-network.ts'
import { takenFromTenant, takenFromVpc } from '../network/taken-blocks.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewVpcRow {
  tenantId: string
  name: string
  block: Block
  /** The text of the block in the request; null when Berth chose the block. */
  requestedCidr: string | null
  isDefault: boolean
}

/** The name of a tenant's first VPC and of every VPC's first network. */
const defaultName = 'default'

/** Adds a VPC with its first network. The caller enqueues the VPC. */
export async function addVpc(
  op: Op,
  { block, ...values }: NewVpcRow,
  networking: NetworkSettings,
): Promise<{ vpc: VpcView; network: NetworkView }> {
  const vpc = await op.vpcs.insert({ ...values, cidr: blocks.text(block) })
  op.changes.record('vpc', { id: vpc.id, version: vpc.version, tenantId: vpc.tenantId })
  const network = await addNetwork(
    op,
    { vpc, name: defaultName, isDefault: true },
    await takenFromVpc(op.reads, vpc.id, networking),
  )
  op.work.enqueue('network', { id: network.id, tenantId: vpc.tenantId })
  return { vpc, network }
}

/**
 * Adds the VPC of a new tenant. No operation waits for it: it becomes active on its own, even when
 * the cluster supports networks only later.
 */
export async function addDefaultVpc(
  op: Op,
  tenantId: string,
  networking: NetworkSettings,
): Promise<void> {
  const block = autoBlock(
    vpcPlan(await takenFromTenant(op.reads, tenantId, networking), null),
    (prefix) => messageOf('network.default_vpc_exhausted', { prefix }),
  )
  const { vpc } = await addVpc(
    op,
    { tenantId, name: defaultName, block, requestedCidr: null, isDefault: true },
    networking,
  )
  op.work.enqueue('vpc', { id: vpc.id, tenantId })
}
