import { type Block, blocks } from '../../domain/network/block.ts'
import { type NetworkView } from '../../domain/network/network.ts'
import { type Networking } from '../../domain/network/networking.ts'
import { autoBlock } from '../../domain/network/free-block.ts'
import { vpcPlan } from '../../domain/vpc/rules.ts'
import { type VpcView } from '../../domain/vpc/vpc.ts'
import { type Op } from '../../store/op.ts'
import { addNetwork } from '../network/add-network.ts'
import { takenFromTenant, takenFromVpc } from '../network/taken.ts'
import { messageOf } from '../../engine/model/message.ts'

interface WantedVpcRow {
  tenantId: string
  name: string
  block: Block
  isDefault: boolean
}

/** What every VPC, and the first VPC of every tenant, begins with. */
const defaultName = 'default'

/** A VPC with its first network; whoever calls this asks somebody to make them. */
export async function addVpc(
  op: Op,
  { block, ...values }: WantedVpcRow,
  networking: Networking,
): Promise<{ vpc: VpcView; network: NetworkView }> {
  const vpc = await op.vpcs.insert({ ...values, cidr: blocks.text(block) })
  op.changes.note('vpc', { id: vpc.id, version: vpc.version, tenantId: vpc.tenantId })
  const network = await addNetwork(
    op,
    { vpc, name: defaultName, isDefault: true },
    await takenFromVpc(op.reads, vpc.id, networking),
  )
  op.work.ring('network', { id: network.id, tenantId: vpc.tenantId })
  return { vpc, network }
}

/**
 * The VPC that comes with a tenant. Nobody waits for it: it opens by itself, also when the cluster
 * learns only later to make networks.
 */
export async function addDefaultVpc(
  op: Op,
  tenantId: string,
  networking: Networking,
): Promise<void> {
  const block = autoBlock(
    vpcPlan(await takenFromTenant(op.reads, tenantId, networking), null),
    (prefix) => messageOf('network.private_ranges_exhausted', { prefix }),
  )
  const { vpc } = await addVpc(
    op,
    { tenantId, name: defaultName, block, isDefault: true },
    networking,
  )
  op.work.ring('vpc', { id: vpc.id, tenantId })
}
