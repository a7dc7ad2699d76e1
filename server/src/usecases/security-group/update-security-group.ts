import { notFound } from '../../engine/model/fault.ts'
import { requireText } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type RuleRequest, requireRules } from '../../domain/security-group/rules.ts'
import { type SecurityGroupView } from '../../domain/security-group/security-group.ts'
import { groupRefusal } from '../../domain/security-group/uses.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'
import { openOperation } from '../operation/open-operation.ts'
import { lockPeerGroups, maxNameLength, lockSecurityGroup } from './lock-security-group.ts'

interface SecurityGroupChange {
  id: string
  name?: string | null
  description?: string | null
  /** The complete list of rules. Null does not change them. */
  rules?: readonly RuleRequest[] | null
  ifVersion?: number | null
}

interface ChangedSecurityGroup {
  securityGroup: SecurityGroupView
  /** The operation that applies the rules. Null when no VM is affected. */
  operation: OperationView | null
}

type Row = Awaited<ReturnType<typeof lockSecurityGroup>>

/**
 * Changes the name, the description or the rules of a group. The rules apply to running VMs too.
 */
export async function updateSecurityGroup(
  op: Op,
  request: SecurityGroupChange,
): Promise<ChangedSecurityGroup> {
  const row = await lockSecurityGroup(op, request.id)
  mustBeVersion('security group', row, request.ifVersion)
  rename(row, request)
  row.description = request.description?.trim() ?? row.description
  const operation = request.rules ? await changeRules(op, row, request.rules) : null
  const before = row.version
  await op.flush()
  const securityGroup = await op.reads.securityGroups.find(row.id)
  if (!securityGroup) throw notFound('security group', row.id)
  if (securityGroup.version !== before) op.changes.record('security_group', securityGroup)
  return { securityGroup, operation }
}

function rename(row: Row, { name: request }: SecurityGroupChange): void {
  if (request === null || request === undefined) return
  const name = requireText(request, 'name', maxNameLength)
  const refusal = name === row.name ? null : groupRefusal(row, 'renamed')
  if (refusal) throw refusal
  row.name = name
}

async function changeRules(
  op: Op,
  row: Row,
  request: readonly RuleRequest[],
): Promise<OperationView | null> {
  const { id, tenantId } = row
  const rules = requireRules(request)
  await lockPeerGroups(
    op,
    tenantId,
    // The group itself is locked already, with a stronger lock.
    rules.filter(({ peerGroupId }) => peerGroupId !== id),
  )
  await op.securityGroups.setRules(row, rules)
  op.securityGroups.touch(row)
  const members = await op.vmFirewalls.incrementForGroup(row)
  for (const vm of members) op.work.enqueue('vm_firewall', vm)
  return members.length === 0
    ? null
    : openOperation(op, 'apply_security_group', {
        kind: 'security_group',
        id,
        name: row.name,
        tenantId,
      })
}
