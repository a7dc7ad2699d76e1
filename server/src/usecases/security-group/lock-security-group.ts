import { type SecurityGroupRule } from '../../domain/security-group/security-group.ts'
import { type Op } from '../../store/op.ts'

export const maxNameLength = 100

type Row = Awaited<ReturnType<Op['securityGroups']['get']>>

/** Returns the group, locked until the unit of work ends, and records it in the audit row. */
export async function lockSecurityGroup(op: Op, id: string): Promise<Row> {
  const row = await op.securityGroups.get(id)
  op.audit.setTarget('security_group', row)
  return row
}

/**
 * Refuses rules that name a group which the tenant does not have. The named groups are locked
 * against deletion.
 */
export async function lockPeerGroups(
  op: Op,
  tenantId: string,
  rules: readonly SecurityGroupRule[],
): Promise<void> {
  const ids = [...new Set(rules.flatMap(({ peerGroupId }) => peerGroupId ?? []))]
  if (ids.length > 0) await op.securityGroups.hold(tenantId, ids)
}
