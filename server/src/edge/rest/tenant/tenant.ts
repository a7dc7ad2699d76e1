import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { RequestBody, freeText, nameField, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { object, oneOf } from '../../../engine/rest/json-schema.ts'
import { usualFilters } from '../list-filters.ts'
import { namespaceField } from '../namespace-field.ts'
import { account } from '../identity/user-shape.ts'

const { id, text, time } = scalar

const states = oneOf('creating', 'active', 'deleting', 'failed')

const tenant = new ResponseShape<{ id: string }>('Tenant', {
  id,
  name: text,
  slug: text,
  namespace: text,
  description: text,
  state: { schema: states, before: null },
  'external_uuid?': text,
  'import_source?': text,
  'state_reason?': text,
  version: hidden,
  created_at: { schema: time, before: 'external_uuid' },
})

const newTenant = new RequestBody({
  'name?': { ...orBlank(text), convert: (name, { slug }) => name ?? slug },
  slug: nameField('name'),
  'description?': text,
  admin_password: text,
  ...namespaceField,
})

const tenantChange = new RequestBody({ 'name?': text, 'description?': freeText })

const tenants = new NounRoutes({
  tag: 'Tenants',
  path: '/api/v1/tenants',
  type: 'Tenant',
  shape: tenant,
})

export const tenantRoutes: RestRoute[] = [
  tenants.list('List the tenants, the default one first', {
    filters: {
      ...usualFilters,
      state: { description: 'Only tenants in this state.', schema: states },
    },
  }),
  tenants.get('Get a tenant'),
  tenants.create('Create a tenant with its first user', {
    body: newTenant,
    beside: new ResponseShape('CreateTenantPayload', {
      admin_user: { schema: account.schema, selection: account.selection },
    }),
  }),
  tenants.update('Change the name or the description of a tenant', { body: tenantChange }),
  tenants.delete('Delete a tenant and everything in it', {
    startsOperation: true,
    output: ({ answer }) => ({ deleted: true, id: answer.object.id }),
    response: object({
      deleted: {
        type: 'boolean',
        const: true,
        description: 'Always true: a refusal has a status of its own.',
      },
      id,
    }),
  }),
]
