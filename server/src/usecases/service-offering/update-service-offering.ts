import { notFound } from '../../engine/model/fault.ts'
import { displayNameOf } from '../../engine/model/name.ts'
import { requireAll } from '../../engine/model/require-all.ts'
import { requireSize } from '../../domain/service-offering/rules.ts'
import {
  type OfferingState,
  type ServiceOfferingView,
} from '../../domain/service-offering/service-offering.ts'
import { mustBeVersion } from '../../engine/model/version.ts'
import { type Op } from '../../store/op.ts'

export interface UpdateServiceOfferingRequest {
  id: string
  /** An empty text stands for the name. */
  displayName?: string | null
  cpu?: number | null
  memoryMi?: number | null
  dedicatedCpu?: boolean | null
  state?: OfferingState | null
  ifVersion?: number | null
}

/** Changes the size that future VMs get. Existing VMs keep theirs until they are resized. */
export async function updateServiceOffering(
  op: Op,
  request: UpdateServiceOfferingRequest,
): Promise<{ serviceOffering: ServiceOfferingView }> {
  const offering = await op.serviceOfferings.get(request.id)
  mustBeVersion('service offering', offering, request.ifVersion)
  const displayName = request.displayName ?? offering.displayName
  const values = requireAll({
    displayName: () => displayNameOf(displayName, offering.name),
    cpu: () => requireSize('cpu', request.cpu ?? offering.cpu),
    memoryMi: () => requireSize('memoryMi', request.memoryMi ?? offering.memoryMi),
  })
  Object.assign(offering, values)
  offering.dedicatedCpu = request.dedicatedCpu ?? offering.dedicatedCpu
  offering.state = request.state ?? offering.state
  await op.flush()
  const serviceOffering = await op.reads.serviceOfferings.find(offering.id)
  if (!serviceOffering) throw notFound('service offering', request.id)
  op.changes.record('service_offering', {
    id: offering.id,
    version: serviceOffering.version,
    tenantId: null,
  })
  op.audit.setTarget('service_offering', { id: offering.id, name: offering.name, tenantId: null })
  return { serviceOffering }
}
