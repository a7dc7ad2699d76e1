import { type SecurityGroupRule } from '../../domain/security-group/security-group.ts'
import { type Op } from '../../store/op.ts'

export const longestName = 100

type Row = Awaited<ReturnType<Op['securityGroups']['get']>>

/** The group, locked until the unit ends, with its name in the books. */
export async function ownSecurityGroup(op: Op, id: string): Promise<Row> {
  const row = await op.securityGroups.get(id)
  op.audit.about('security_group', row)
  return row
}

/**
 * Refuses rules that name a group which the tenant does not have; nobody deletes one of them
 * meanwhile.
 */
export async function holdPeers(
  op: Op,
  tenantId: string,
  rules: readonly SecurityGroupRule[],
): Promise<void> {
  const ids = [...new Set(rules.flatMap(({ peerGroupId }) => peerGroupId ?? []))]
  if (ids.length > 0) await op.securityGroups.hold(tenantId, ids)
}
