import { requireText } from '../../engine/model/name.ts'
import { type OperationView } from '../../domain/operation/operation.ts'
import { type QuotaLimits } from '../../domain/tenant/quota.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { requireTags } from '../../domain/vm/rules.ts'
import { type ChangeApplies, type VmSize, type VmView } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { mustFit } from '../tenant/must-fit.ts'
import { type NamedVm } from './named-vm.ts'
import { answerWith, vmAfter, vmToChange } from './own-vm.ts'
import { sizeOf } from './vm-size.ts'

export interface VmChange extends NamedVm {
  displayName?: string | null
  tags?: readonly string[] | null
  deleteProtection?: boolean | null
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  ifVersion?: number | null
}

export interface ChangedVm {
  vm: VmView
  /** Null where the cluster has nothing to do. */
  operation: OperationView | null
  applies: ChangeApplies
}

/**
 * Renames, tags or protects a machine, which is so at once, and changes its size, which takes
 * effect when it starts the next time.
 */
export async function updateVm(op: Op, asked: VmChange, defaults: QuotaLimits): Promise<ChangedVm> {
  const { row, mustAllow } = await vmToChange(op, asked)
  mustBeVersion('VM', row, asked.ifVersion)
  mustAllow('rename')
  if (asked.displayName) row.displayName = requireText(asked.displayName, 'displayName')
  if (asked.tags) row.tags = requireTags(asked.tags)
  row.deleteProtection = asked.deleteProtection ?? row.deleteProtection
  const size = await newSize(op, asked, row)
  if (!size) return { vm: await vmAfter(op, row), operation: null, applies: 'at_once' }
  mustAllow('resize')
  const more = { vcpus: size.cpu - row.cpu, memoryMi: size.memoryMi - row.memoryMi }
  await mustFit(op, { tenantId: row.tenantId, defaults, asked: more })
  op.vms.resize(row, size)
  return { ...(await answerWith(op, row, 'resize_vm')), applies: 'next_start' }
}

/** Null where it stays as it is. */
async function newSize(
  op: Op,
  asked: VmChange,
  row: { serviceOfferingId?: string | null } & Omit<VmSize, 'serviceOfferingId'>,
) {
  const isAsked = [asked.serviceOfferingId, asked.cpu, asked.memoryMi].some(
    (each) => each !== null && each !== undefined,
  )
  if (!isAsked) return null
  const size = await sizeOf(op, asked, row)
  const isSame =
    size.cpu === row.cpu && size.memoryMi === row.memoryMi && size.dedicatedCpu === row.dedicatedCpu
  return isSame && size.serviceOfferingId === (row.serviceOfferingId ?? null) ? null : size
}
