import { requireGroupIds } from '../../domain/security-group/rules.ts'
import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, vmToChange } from './own-vm.ts'

interface ChosenGroups {
  id: string
  securityGroupIds: readonly string[]
}

/**
 * Gives a machine these groups and no others; what they let through holds at once, also while it
 * runs.
 */
export async function setVmSecurityGroups(op: Op, asked: ChosenGroups): Promise<VmAnswer> {
  const { row, mustAllow } = await vmToChange(op, { id: asked.id })
  mustAllow('rename')
  const groupIds = requireGroupIds(asked.securityGroupIds, 'securityGroupIds')
  await op.securityGroups.hold(row.tenantId, groupIds)
  await op.vmGuards.choose(row, groupIds)
  op.vms.touch(row)
  op.work.ring('vm_guard', { id: row.id, tenantId: row.tenantId })
  return answerWith(op, row, 'set_vm_security_groups')
}
