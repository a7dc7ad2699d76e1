import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import {
  RequestBody,
  freeText,
  nameField,
  orBlank,
  orEmpty,
} from '../../../engine/rest/request-body.ts'
import { searchFilter } from '../../../engine/rest/request-query.ts'
import { type RestRoute, type Versioned } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'
import { limitedCpu, limitedMemoryMi } from '../vm-limits.ts'

const { flag, id, text, time, whole } = scalar

const states = oneOf('Active', 'Inactive')

const offering = new ResponseShape<Versioned>('ServiceOffering', {
  id,
  name: text,
  display_name: text,
  cpu: whole,
  memory_mi: whole,
  dedicated_cpu: flag,
  'storage_tags?': text,
  state: { schema: states, before: null },
  'external_uuid?': text,
  'import_source?': text,
  version: hidden,
  created_at: { schema: time, before: 'storage_tags' },
})

const newOffering = new RequestBody({
  name: nameField('display_name'),
  'display_name?': orBlank(text),
  cpu: limitedCpu,
  memory_mi: limitedMemoryMi,
  'dedicated_cpu?': flag,
})

const offeringChange = new RequestBody({
  'display_name?': { ...freeText, absent: [''] },
  'cpu?': limitedCpu,
  'memory_mi?': limitedMemoryMi,
  'dedicated_cpu?': flag,
  'state?': orEmpty(states),
})

const offerings = new NounRoutes({
  tag: 'Service offerings',
  path: '/api/v1/service-offerings',
  type: 'ServiceOffering',
  shape: offering,
})

export const serviceOfferingRoutes: RestRoute[] = [
  offerings.list('List the VM sizes that can be chosen', {
    filters: {
      ...searchFilter,
      include_inactive: {
        description: '`true` includes sizes that can no longer be chosen.',
        schema: flag,
      },
    },
    sorts: ['cpu', 'memory_mi', 'name'],
  }),
  offerings.get('Get a service offering'),
  offerings.create('Create a service offering', { body: newOffering }),
  offerings.update('Update a service offering', { body: offeringChange }),
  offerings.delete('Delete a service offering'),
]
