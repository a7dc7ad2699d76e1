import { notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import { type VmSize } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

interface AskedSize {
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  /** Of a size of one's own; an offering says it itself. */
  dedicatedCpu?: boolean | null
}

/**
 * The size that somebody asks for: an offering’s, or one of their own in which what they do not
 * name is as otherwise.
 */
export async function sizeOf(
  op: Op,
  asked: AskedSize,
  otherwise: Omit<VmSize, 'serviceOfferingId'>,
): Promise<VmSize> {
  const { serviceOfferingId, cpu, memoryMi } = asked
  if (!serviceOfferingId) {
    return {
      serviceOfferingId: null,
      cpu: requireSize('cpu', cpu ?? otherwise.cpu),
      memoryMi: requireSize('memoryMi', memoryMi ?? otherwise.memoryMi),
      dedicatedCpu: asked.dedicatedCpu ?? otherwise.dedicatedCpu,
    }
  }
  const offering = await op.reads.serviceOfferings.find(serviceOfferingId)
  if (!offering) throw notFound('service offering', serviceOfferingId)
  if (offering.state !== 'Active')
    throw invalid(
      'serviceOfferingId',
      messageOf('vm.offering_withdrawn', { offering: offering.name }),
    )
  return {
    serviceOfferingId: offering.id,
    cpu: offering.cpu,
    memoryMi: offering.memoryMi,
    dedicatedCpu: offering.dedicatedCpu,
  }
}
