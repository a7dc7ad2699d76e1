import { notFound } from '../../engine/model/fault.ts'
import { mustBeOffered, requireSize } from '../../domain/service-offering/rules.ts'
import { type VmSize } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'

interface SizeRequest {
  /** The id or the name of a service offering. */
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  /** It can add dedicated CPUs to a service offering, but not take them away. */
  dedicatedCpu?: boolean | null
}

type PresentSize = Omit<VmSize, 'serviceOfferingId'> & { serviceOfferingId?: string | null }

const defaultSize: PresentSize = { cpu: 1, memoryMi: 1024, dedicatedCpu: false }

/**
 * Resolves the requested size: a service offering, or custom values. Omitted fields keep the
 * present size, or get a default when the VM is new and has none.
 */
export async function sizeOf(
  op: Op,
  request: SizeRequest,
  present: PresentSize | null,
): Promise<VmSize> {
  const base = present ?? defaultSize
  const { serviceOfferingId } = request
  if (!serviceOfferingId) return customSize(request, base)
  const { serviceOfferings } = op.reads
  const offering =
    (await serviceOfferings.find(serviceOfferingId)) ??
    (await serviceOfferings.findByName(serviceOfferingId))
  if (!offering) throw notFound('service offering', serviceOfferingId)
  mustBeOffered(offering, present)
  const { id, cpu, memoryMi } = offering
  const isRequested = request.dedicatedCpu ?? (base.serviceOfferingId === id && base.dedicatedCpu)
  return {
    serviceOfferingId: id,
    cpu,
    memoryMi,
    dedicatedCpu: offering.dedicatedCpu || isRequested,
  }
}

const customSize = ({ cpu, memoryMi, dedicatedCpu }: SizeRequest, base: PresentSize): VmSize => ({
  serviceOfferingId: null,
  cpu: requireSize('cpu', cpu ?? base.cpu),
  memoryMi: requireSize('memoryMi', memoryMi ?? base.memoryMi),
  dedicatedCpu: dedicatedCpu ?? base.dedicatedCpu,
})
