import { AnswerShape, hidden } from '../../../engine/rest/answer-shape.ts'
import { RequestBody } from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/shapes.ts'

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

export const volume = new AnswerShape<Versioned>({
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
  'size_gi?': whole,
  'storage_class?': text,
  'snapshot_id?': id,
})

export const volumeChange = new RequestBody({ 'name?': text, 'size_gi?': whole })
