import { notFound } from '../../engine/model/fault.ts'
import { type ServiceOfferingView } from '../../domain/service-offering/service-offering.ts'
import { type VersionedRequest, mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

/** Removes a size from the catalogue. VMs created from it keep their size. */
export async function deleteServiceOffering(
  op: Op,
  request: VersionedRequest,
): Promise<{ serviceOffering: ServiceOfferingView }> {
  const offering = await op.serviceOfferings.get(request.id)
  mustBeVersion('service offering', offering, request.ifVersion)
  const serviceOffering = await op.reads.serviceOfferings.find(offering.id)
  if (!serviceOffering) throw notFound('service offering', request.id)
  op.serviceOfferings.remove(offering)
  op.changes.record('service_offering', {
    id: offering.id,
    version: offering.version + 1,
    tenantId: null,
  })
  op.audit.setTarget('service_offering', { id: offering.id, name: offering.name, tenantId: null })
  return { serviceOffering }
}
