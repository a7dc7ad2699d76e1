import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'

const { id, text, time, whole } = scalar

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

/** A volume, as REST returns it. */
export const volume = new ResponseShape<Versioned>({
  id,
  tenant_id: id,
  name: text,
  size_gi: whole,
  namespace: text,
  pvc_name: { schema: text, from: 'claimName' },
  state: oneOf(...states),
  'vm_id?': id,
  version: hidden,
  created_at: time,
})

export const newVolume = new RequestBody({
  name: text,
  'size_gi?': { schema: { ...whole, description: '10 by default.' }, absent: [0] },
  'storage_class?': text,
  'snapshot_id?': id,
})

export const volumeChange = new RequestBody({ 'name?': text, 'size_gi?': whole })
