import { Fault } from '../../engine/model/fault.ts'
import { displayNameOf, requireName } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import { type ServiceOfferingView } from '../../domain/service-offering/service-offering.ts'
import { type Op } from '../../store/op.ts'
import { messageOf } from '../../engine/model/message.ts'

export interface CreateServiceOfferingRequest {
  name: string
  displayName?: string | null
  cpu: number
  memoryMi: number
  dedicatedCpu?: boolean | null
}

/** Adds a size to the catalogue of all tenants. */
export async function createServiceOffering(
  op: Op,
  request: CreateServiceOfferingRequest,
): Promise<{ serviceOffering: ServiceOfferingView }> {
  const values = requireAll({
    name: () => requireName(request.name, 'name', 'displayName'),
    displayName: () => displayNameOf(request.displayName, request.name),
    cpu: () => requireSize('cpu', request.cpu),
    memoryMi: () => requireSize('memoryMi', request.memoryMi),
  })
  const { name } = values
  if (await op.serviceOfferings.nameTaken(name)) {
    throw new Fault('already_exists', messageOf('offering.name_taken', { name }))
  }
  const serviceOffering = await op.serviceOfferings.insert({
    ...values,
    dedicatedCpu: request.dedicatedCpu ?? false,
  })
  op.changes.record('service_offering', {
    id: serviceOffering.id,
    version: serviceOffering.version,
    tenantId: null,
  })
  op.audit.setTarget('service_offering', { id: serviceOffering.id, name, tenantId: null })
  return { serviceOffering }
}
