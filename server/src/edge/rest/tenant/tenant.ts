import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import { RequestBody, nameField, orBlank } from '../../../engine/rest/request-body.ts'
import {
  type PageInfo,
  type RestRoute,
  defaultWaitSeconds,
  route,
} from '../../../engine/rest/route.ts'
import { type JobRow, jobFields } from '../../../engine/rest/job.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/json-schema.ts'
import { namespaceField } from '../namespace-field.ts'
import { account } from '../identity/user-shape.ts'

const { id, text, time } = scalar

const tenant = new ResponseShape({
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

export const tenantRoutes: RestRoute[] = [
  route<{ tenants: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/tenants',
    summary: 'List the tenants, the default one first',
    tag: 'Tenants',
    run: `query ListTenants($first: Int, $after: String) {
      tenants(first: $first, after: $after) { nodes { ${tenant.selection} } ${pageFields} } }`,
    input: ({ query }) => pageVariables(query),
    output: ({ tenants }) => ({ tenants: tenant.toWireAll(tenants.nodes) }),
    pageOf: ({ tenants }) => tenants.pageInfo,
    status: 200,
    response: object({ tenants: list(tenant.schema) }),
  }),
  route<{ tenant: object }>({
    method: 'GET',
    path: '/api/v1/tenants/{id}',
    summary: 'Get a tenant',
    tag: 'Tenants',
    run: `query GetTenant($id: ID!) { tenant(id: $id) { ${tenant.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    output: (answer) => ({ tenant: tenant.toWire(answer.tenant) }),
    status: 200,
    response: object({ tenant: tenant.schema }),
  }),
  route<{ createTenant: { tenant: object; admin_user: object } }>({
    method: 'POST',
    path: '/api/v1/tenants',
    summary: 'Create a tenant with its first user',
    tag: 'Tenants',
    run: `mutation CreateTenant($input: CreateTenantInput!) { createTenant(input: $input) {
      tenant { ${tenant.selection} }
      admin_user: adminUser { ${account.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createTenant }) => ({
      tenant: tenant.toWire(createTenant.tenant),
      admin_user: account.toWire(createTenant.admin_user),
    }),
    status: 201,
    created: '/api/v1/tenants/{id}',
    request: newTenant,
    response: object({ tenant: tenant.schema, admin_user: account.schema }),
  }),
  route<{ deleteTenant: { tenant: { id: string }; operation: JobRow } }>({
    method: 'DELETE',
    path: '/api/v1/tenants/{id}',
    summary: 'Delete a tenant and everything in it',
    tag: 'Tenants',
    run: `mutation DeleteTenant($input: DeleteTenantInput!, $waitSeconds: Int) {
      deleteTenant(input: $input, waitSeconds: $waitSeconds) { tenant { id } ${jobFields} } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: ({ deleteTenant }) => ({ deleted: true, id: deleteTenant.tenant.id }),
    accepted: { operationOf: ({ deleteTenant }) => deleteTenant.operation },
    defaultWaitSeconds,
    status: 200,
    response: object({ deleted: { type: 'boolean', const: true }, id }),
  }),
]
