import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { RequestBody, nameField, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { object, oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { account } from '../identity/user-shape.ts'

const { id, text, time } = scalar

const tenant = new ResponseShape<{ id: string }>({
  id,
  name: text,
  slug: text,
  namespace: text,
  state: { schema: oneOf('creating', 'active', 'deleting', 'failed'), before: null },
  'external_uuid?': text,
  'import_source?': text,
  created_at: { schema: time, before: 'external_uuid' },
})

const newTenant = new RequestBody({
  'name?': { ...orBlank(text), convert: (name, { slug }) => name ?? slug },
  slug: nameField('name'),
  admin_password: text,
  ...namespaceField,
})

const tenants = new NounRoutes({
  tag: 'Tenants',
  path: '/api/v1/tenants',
  type: 'Tenant',
  shape: tenant,
})

export const tenantRoutes: RestRoute[] = [
  tenants.list('List the tenants, the default one first', { filters: {}, isSorted: false }),
  tenants.get('Get a tenant'),
  tenants.create('Create a tenant with its first user', {
    body: newTenant,
    beside: new ResponseShape({
      admin_user: { schema: account.schema, selection: account.selection },
    }),
  }),
  tenants.delete('Delete a tenant and everything in it', {
    startsOperation: true,
    output: ({ answer }) => ({ deleted: true, id: answer.object.id }),
    response: object({ deleted: { type: 'boolean', const: true }, id }),
  }),
]
