import { notFound } from '../../engine/model/fault.ts'
import { requireText } from '../../engine/model/name.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import {
  type OfferingState,
  type ServiceOfferingView,
} from '../../domain/service-offering/service-offering.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

export interface ServiceOfferingChange {
  id: string
  displayName?: string | null
  cpu?: number | null
  memoryMi?: number | null
  dedicatedCpu?: boolean | null
  state?: OfferingState | null
  ifVersion?: number | null
}

/** Changes what future VMs of this size get; running VMs keep theirs until they are resized. */
export async function updateServiceOffering(
  op: Op,
  asked: ServiceOfferingChange,
): Promise<{ serviceOffering: ServiceOfferingView }> {
  const offering = await op.serviceOfferings.get(asked.id)
  mustBeVersion('service offering', offering, asked.ifVersion)
  if (asked.displayName) offering.displayName = requireText(asked.displayName, 'displayName')
  if (asked.cpu) offering.cpu = requireSize('cpu', asked.cpu)
  if (asked.memoryMi) offering.memoryMi = requireSize('memoryMi', asked.memoryMi)
  offering.dedicatedCpu = asked.dedicatedCpu ?? offering.dedicatedCpu
  offering.state = asked.state ?? offering.state
  await op.flush()
  const serviceOffering = await op.reads.serviceOfferings.find(offering.id)
  if (!serviceOffering) throw notFound('service offering', asked.id)
  op.changes.note('service_offering', {
    id: offering.id,
    version: serviceOffering.version,
    tenantId: null,
  })
  op.audit.about('service_offering', { id: offering.id, name: offering.name, tenantId: null })
  return { serviceOffering }
}
