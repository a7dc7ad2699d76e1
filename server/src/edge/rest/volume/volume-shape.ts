import { scalar } from '../../../engine/rest/scalar.ts'
import { object, oneOf } from '../../../engine/rest/shapes.ts'

const { id, text, time, whole } = scalar

export const volumeFields =
  'id tenant_id: tenantId name size_gi: sizeGi namespace pvc_name: claimName state vm_id: vmId version created_at: createdAt'

/** A volume as the document brings it. */
export interface VolumeRow {
  vm_id: string | null
  version: number
}

export const wireVolume = (row: VolumeRow): object =>
  Object.assign<VolumeRow, object>(row, { vm_id: row.vm_id ?? undefined, version: undefined })

const states = [
  'creating',
  'ready',
  'attaching',
  'attached',
  'detaching',
  'resizing',
  'lost',
  'failed',
  'deleting',
] as const

export const volumeSchema = object({
  id,
  tenant_id: id,
  name: text,
  size_gi: whole,
  namespace: text,
  pvc_name: text,
  state: oneOf(...states),
  'vm_id?': id,
  created_at: time,
})
