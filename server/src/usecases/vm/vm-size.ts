import { notFound } from '../../engine/model/fault.ts'
import { invalid } from '../../engine/model/name.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import { type ServiceOfferingView } from '../../domain/service-offering/service-offering.ts'
import { type VmSize } from '../../domain/vm/vm.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

interface SizeRequest {
  /** The id or the name of a service offering. */
  serviceOfferingId?: string | null
  cpu?: number | null
  memoryMi?: number | null
  /** It can add dedicated CPUs to a service offering, but not take them away. */
  dedicatedCpu?: boolean | null
}

/**
 * Resolves the requested size: a service offering, or custom values with defaults for omitted
 * fields.
 */
export async function sizeOf(
  op: Op,
  request: SizeRequest,
  defaults: Omit<VmSize, 'serviceOfferingId'> & { serviceOfferingId?: string | null },
): Promise<VmSize> {
  const { serviceOfferingId, cpu, memoryMi } = request
  if (!serviceOfferingId) {
    return {
      serviceOfferingId: null,
      cpu: requireSize('cpu', cpu ?? defaults.cpu),
      memoryMi: requireSize('memoryMi', memoryMi ?? defaults.memoryMi),
      dedicatedCpu: request.dedicatedCpu ?? defaults.dedicatedCpu,
    }
  }
  const offering = await requireOffering(op, serviceOfferingId)
  const isSame = defaults.serviceOfferingId === offering.id
  const isRequested = request.dedicatedCpu ?? (isSame && defaults.dedicatedCpu)
  return {
    serviceOfferingId: offering.id,
    cpu: offering.cpu,
    memoryMi: offering.memoryMi,
    dedicatedCpu: offering.dedicatedCpu || isRequested,
  }
}

async function requireOffering(op: Op, idOrName: string): Promise<ServiceOfferingView> {
  const { serviceOfferings } = op.reads
  const offering =
    (await serviceOfferings.find(idOrName)) ?? (await serviceOfferings.findByName(idOrName))
  if (!offering) throw notFound('service offering', idOrName)
  if (offering.state !== 'Active')
    throw invalid(
      'serviceOfferingId',
      messageOf('vm.offering_withdrawn', { offering: offering.name }),
    )
  return offering
}
