import { notFound } from '../../engine/model/fault.ts'
import { requireText } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type AskedRule, requireRules } from '../../domain/security-group/rules.ts'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { groupRefusal } from '../../domain/security-group/uses.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { holdPeers, longestName, ownSecurityGroup } from './own-security-group.ts'

interface SecurityGroupChange {
  id: string
  name?: string | null
  description?: string | null
  /** All of them; null leaves them as they are. */
  rules?: readonly AskedRule[] | null
  ifVersion?: number | null
}

interface ChangedSecurityGroup {
  securityGroup: SecurityGroupView
  /** Null where no VM has to hear of it. */
  operation: OperationView | null
}

type Row = Awaited<ReturnType<typeof ownSecurityGroup>>

/**
 * Renames, describes or changes what a group lets through; the VMs that have it follow while they
 * run.
 */
export async function updateSecurityGroup(
  op: Op,
  asked: SecurityGroupChange,
): Promise<ChangedSecurityGroup> {
  const row = await ownSecurityGroup(op, asked.id)
  mustBeVersion('security group', row, asked.ifVersion)
  rename(row, asked)
  row.description = asked.description?.trim() ?? row.description
  const operation = asked.rules ? await changeRules(op, row, asked.rules) : null
  const before = row.version
  await op.flush()
  const securityGroup = await op.reads.securityGroups.find(row.id)
  if (!securityGroup) throw notFound('security group', row.id)
  if (securityGroup.version !== before) op.changes.note('security_group', securityGroup)
  return { securityGroup, operation }
}

function rename(row: Row, { name: asked }: SecurityGroupChange): void {
  if (asked === null || asked === undefined) return
  const name = requireText(asked, 'name', longestName)
  const refusal = name === row.name ? null : groupRefusal(row, 'renamed')
  if (refusal) throw refusal
  row.name = name
}

async function changeRules(
  op: Op,
  row: Row,
  asked: readonly AskedRule[],
): Promise<OperationView | null> {
  const { id, tenantId } = row
  const rules = requireRules(asked)
  await holdPeers(
    op,
    tenantId,
    // Itself is locked already, and more firmly than that.
    rules.filter(({ peerGroupId }) => peerGroupId !== id),
  )
  await op.securityGroups.setRules(row, rules)
  op.securityGroups.touch(row)
  const members = await op.vmGuards.changed(row)
  for (const vm of members) op.work.ring('vm_guard', vm)
  return members.length === 0
    ? null
    : openOperation(op, 'apply_security_group', {
        kind: 'security_group',
        id,
        name: row.name,
        tenantId,
      })
}
