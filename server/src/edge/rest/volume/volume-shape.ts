import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import { type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { explanationField } from '../explanation.ts'
import { namespaceField } from '../namespace-field.ts'

const { id, text, time, whole } = scalar

export const volumeStates = oneOf(
  'creating',
  'ready',
  'attached',
  'detaching',
  'resizing',
  'lost',
  'failed',
  'deleting',
)

export interface VolumeRow extends Versioned {
  state: string
  vm_id: string | null
}

/** A volume, as REST returns it. */
export const volume = new ResponseShape<VolumeRow>(
  'Volume',
  {
    id,
    tenant_id: id,
    name: text,
    size_gi: whole,
    namespace: text,
    pvc_name: { schema: text, from: 'claimName' },
    state: volumeStates,
    'vm_id?': id,
    'explanation?': explanationField,
    storage_class: text,
    'snapshot_id?': id,
    version: hidden,
    created_at: time,
  },
  (row) => {
    // Older clients know no state between the two, and wait for `attached` after their request.
    if (row.vm_id !== null && ['ready', 'attaching'].includes(row.state)) row.state = 'attached'
  },
)

export const newVolume = new RequestBody({
  name: nameField(),
  'size_gi?': { schema: { ...whole, description: '10 by default.' }, absent: [0] },
  'storage_class?': text,
  'snapshot_id?': id,
  ...namespaceField,
})

export const volumeChange = new RequestBody({
  'name?': nameField(),
  'size_gi?': whole,
  ...namespaceField,
})
