import { Fault, notFound } from '../../engine/model/fault.ts'
import { mustActInTenant } from '../../domain/identity/principal.ts'
import { requireText } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { type RuleRequest, requireRules } from '../../domain/security-group/rules.ts'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { mustBeRoomFor } from '../../domain/security-group/uses.ts'
import { type Op } from '../../store/op.ts'
import { lockOpenTenant } from '../tenant/must-have-namespace.ts'
import { lockPeerGroups, maxNameLength } from './lock-security-group.ts'
import { messageOf } from '../../engine/model/message.ts'

interface NewSecurityGroup {
  name: string
  description?: string | null
  vpcId?: string | null
  rules?: readonly RuleRequest[] | null
}

/** Creates a group for VMs. Without rules, it denies all traffic in both directions. */
export async function createSecurityGroup(
  op: Op,
  request: NewSecurityGroup,
): Promise<{ securityGroup: SecurityGroupView }> {
  const tenantId = mustActInTenant(op.viewer)
  const { name, rules } = requireAll({
    name: () => requireText(request.name, 'name', maxNameLength),
    rules: () => requireRules(request.rules ?? []),
  })
  // The lock makes concurrent requests count one after the other.
  await lockOpenTenant(op, tenantId)
  const { total, nameTaken } = await op.securityGroups.presentFor({ tenantId, name })
  if (nameTaken) throw new Fault('already_exists', messageOf('security_group.name_taken', { name }))
  mustBeRoomFor(total)
  await lockPeerGroups(op, tenantId, rules)
  const vpcId = await vpcOf(op, request)
  const id = await op.securityGroups.insert({
    tenantId,
    name,
    description: request.description?.trim() ?? '',
    vpcId,
    isDefault: false,
  })
  await op.securityGroups.setRules({ id, tenantId }, rules)
  const securityGroup = await op.reads.securityGroups.find(id)
  if (!securityGroup) throw notFound('security group', id)
  op.changes.record('security_group', securityGroup)
  op.audit.setTarget('security_group', securityGroup)
  return { securityGroup }
}

async function vpcOf(op: Op, { vpcId }: Pick<NewSecurityGroup, 'vpcId'>): Promise<string | null> {
  if (!vpcId) return null
  const vpc = await op.reads.vpcs.find(vpcId)
  if (!vpc) throw notFound('vpc', vpcId)
  return vpc.id
}
