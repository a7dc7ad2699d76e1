import { requireGroupIds } from '../../domain/security-group/rules.ts'
import { type Op } from '../../store/op.ts'
import { type VmAnswer, answerWith, vmToChange } from './own-vm.ts'

interface SetSecurityGroupsRequest {
  id: string
  securityGroupIds: readonly string[]
}

/** Replaces the security groups of a VM. Their rules apply immediately, also while it runs. */
export async function setVmSecurityGroups(
  op: Op,
  request: SetSecurityGroupsRequest,
): Promise<VmAnswer> {
  const { row, mustAllow } = await vmToChange(op, { id: request.id })
  mustAllow('rename')
  const groupIds = requireGroupIds(request.securityGroupIds, 'securityGroupIds')
  await op.securityGroups.hold(row.tenantId, groupIds)
  await op.vmGuards.choose(row, groupIds)
  op.vms.touch(row)
  op.work.ring('vm_guard', { id: row.id, tenantId: row.tenantId })
  return answerWith(op, row, 'set_vm_security_groups')
}
