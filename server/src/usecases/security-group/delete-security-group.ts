import { notFound } from '../../engine/model/fault.ts'
import { groupRefusal, useRefusal } from '../../domain/security-group/uses.ts'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { lockSecurityGroup } from './lock-security-group.ts'

/** Deletes a group that no VM has and no rule names. */
export async function deleteSecurityGroup(
  op: Op,
  request: VersionedRequest,
): Promise<{ securityGroup: SecurityGroupView }> {
  const row = await lockSecurityGroup(op, request.id)
  mustBeVersion('security group', row, request.ifVersion)
  const refusal =
    groupRefusal(row, 'deleted') ?? useRefusal(row.name, await op.securityGroups.usesOf(row))
  if (refusal) throw refusal
  const securityGroup = await op.reads.securityGroups.find(row.id)
  if (!securityGroup) throw notFound('security group', request.id)
  op.securityGroups.remove(row)
  op.changes.record('security_group', { ...securityGroup, version: securityGroup.version + 1 })
  return { securityGroup }
}
