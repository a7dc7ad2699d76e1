import { acceptedDrift } from '../../domain/vm-drift/drift.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { type Op } from '../../store/op.ts'
import { mustFitQuota } from '../tenant/must-fit-quota.ts'
import { type VmAnswer, lockVm, respondWithOperation } from './lock-vm.ts'
import { type VmChangeRequest } from './named-vm.ts'
import { sizeOf } from './vm-size.ts'

/**
 * Requests that the VM object becomes what Berth wants, after another client changed it. A repeated
 * request returns the open operation.
 */
export async function revertVmDrift(op: Op, request: VmChangeRequest): Promise<VmAnswer> {
  const { row, mustAllow } = await lockVm(op, request)
  if (!(await isBeingResolved(op, row.id))) {
    mustAllow('revertDrift')
    op.vms.requestPartChange(row)
  }
  return respondWithOperation(op, row, 'resolve_vm_drift')
}

/**
 * Takes over power, vCPUs and memory of the VM object, which another client changed. A repeated
 * request returns the open operation.
 */
export async function acceptVmDrift(
  op: Op,
  request: VmChangeRequest,
  defaults: QuotaLimits,
): Promise<VmAnswer> {
  const { row, mustAllow } = await lockVm(op, request)
  if (!(await isBeingResolved(op, row.id))) {
    mustAllow('acceptDrift')
    await adopt(op, row, defaults)
  }
  return respondWithOperation(op, row, 'resolve_vm_drift')
}

const isBeingResolved = async (op: Op, vmId: string): Promise<boolean> =>
  (await op.operations.unfinished('vm', vmId)).some(({ kind }) => kind === 'resolve_vm_drift')

type Row = Awaited<ReturnType<typeof lockVm>>['row']

async function adopt(op: Op, row: Row, defaults: QuotaLimits): Promise<void> {
  const accepted = acceptedDrift(row.drift ?? [])
  if (!accepted) return
  const { power, cpu, memoryMi } = accepted
  if (power) op.vms.requestPower(row, power)
  if (cpu === null && memoryMi === null) return
  const size = await sizeOf(op, { cpu, memoryMi }, row)
  const requested = { vcpus: size.cpu - row.cpu, memoryMi: size.memoryMi - row.memoryMi }
  await mustFitQuota(op, { tenantId: row.tenantId, defaults, requested })
  op.vms.resize(row, size)
}
