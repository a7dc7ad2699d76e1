import { requireGroupIds } from '../../domain/security-group/rules.ts'
import { type Op } from '../../store/op.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { type VmAnswer, respondWithOperation, lockVm } from './lock-vm.ts'

interface SetSecurityGroupsRequest extends VmChangeRequest {
  securityGroupIds: readonly string[]
}

/** Replaces the security groups of a VM. Their rules apply immediately, also while it runs. */
export async function setVmSecurityGroups(
  op: Op,
  request: SetSecurityGroupsRequest,
): Promise<VmAnswer> {
  const { row, mustBeChangeable } = await lockVm(op, request)
  mustBeChangeable()
  const groupIds = requireGroupIds(request.securityGroupIds, 'securityGroupIds')
  await op.securityGroups.hold(row.tenantId, groupIds)
  await op.vmFirewalls.assign(row, groupIds)
  op.vms.touch(row)
  op.work.enqueue('vm_firewall', { id: row.id, tenantId: row.tenantId })
  return respondWithOperation(op, row, 'set_vm_security_groups')
}
