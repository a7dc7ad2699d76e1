import { displayNameOf } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { requireTags } from '../../domain/vm/rules.ts'
import { type ChangeApplies, type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { respondWithOperation, vmAfter, lockVm } from './lock-vm.ts'
import { sizeOf } from './vm-size.ts'

export interface UpdateVmRequest extends VmChangeRequest {
  /** An empty text stands for the name. */
  displayName?: string | null
  tags?: readonly string[] | null
  deleteProtection?: boolean | null
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  dedicatedCpu?: boolean | null
}

export interface UpdateVmResult {
  vm: VmView
  /** The operation of a resize. Null when the change needs nothing from the cluster. */
  operation: OperationView | null
  applies: ChangeApplies
}

/**
 * Renames, tags or protects a VM immediately, and changes its size, which takes effect with the
 * next start.
 */
export async function updateVm(
  op: Op,
  request: UpdateVmRequest,
  defaults: QuotaLimits,
): Promise<UpdateVmResult> {
  const { row, mustAllow } = await lockVm(op, request)
  mustAllow('rename')
  if (typeof request.displayName === 'string')
    row.displayName = displayNameOf(request.displayName, row.name)
  if (request.tags) row.tags = requireTags(request.tags)
  row.deleteProtection = request.deleteProtection ?? row.deleteProtection
  const size = await newSize(op, request, row)
  if (!size) return { vm: await vmAfter(op, row), operation: null, applies: 'at_once' }
  mustAllow('resize')
  const increase = { vcpus: size.cpu - row.cpu, memoryMi: size.memoryMi - row.memoryMi }
  await mustFitQuota(op, { tenantId: row.tenantId, defaults, requested: increase })
  op.vms.resize(row, size)
  return { ...(await respondWithOperation(op, row, 'resize_vm')), applies: 'next_start' }
}

/** Returns the new size. Null when it does not change. */
async function newSize(
  op: Op,
  request: UpdateVmRequest,
  row: { serviceOfferingId?: string | null } & Omit<VmSize, 'serviceOfferingId'>,
) {
  const { serviceOfferingId, cpu, memoryMi, dedicatedCpu } = request
  const isRequested = [serviceOfferingId, cpu, memoryMi, dedicatedCpu].some(
    (each) => each !== null && each !== undefined,
  )
  if (!isRequested) return null
  const size = await sizeOf(op, request, row)
  const isSame =
    size.cpu === row.cpu && size.memoryMi === row.memoryMi && size.dedicatedCpu === row.dedicatedCpu
  return isSame && size.serviceOfferingId === (row.serviceOfferingId ?? null) ? null : size
}
