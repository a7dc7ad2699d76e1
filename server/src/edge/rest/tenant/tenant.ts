import { field } from '../../../engine/rest/field.ts'
import { pageOf, pageFields, withoutNulls } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'

const { id, text, time } = scalar

interface Tenant {
  external_uuid: string | null | undefined
  import_source: string | null | undefined
}

const tenantFields = `id name slug namespace state external_uuid: externalUuid import_source: importSource created_at: createdAt`

const tenant = object({
  id,
  name: text,
  slug: text,
  namespace: text,
  created_at: time,
  'external_uuid?': text,
  'import_source?': text,
  state: oneOf('creating', 'active', 'deleting', 'failed'),
})

const adminUser = object({
  id,
  username: text,
  role: text,
  role_id: id,
  tenant_id: id,
  email: text,
  state: text,
})

export const tenantRoutes: RestRoute[] = [
  route<{ tenants: { nodes: Tenant[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/tenants',
    summary: 'List the tenants, the default one first',
    tag: 'Tenants',
    run: `query ListTenants($first: Int, $after: String) {
      tenants(first: $first, after: $after) { nodes { ${tenantFields} } ${pageFields} } }`,
    input: ({ query }) => pageOf(query),
    output: ({ tenants }) => ({
      tenants: withoutNulls(tenants.nodes, 'external_uuid', 'import_source'),
    }),
    pageOf: ({ tenants }) => tenants.pageInfo,
    status: 200,
    response: object({ tenants: list(tenant) }),
  }),
  route<{ tenant: Tenant }>({
    method: 'GET',
    path: '/api/v1/tenants/{id}',
    summary: 'Get a tenant',
    tag: 'Tenants',
    run: `query GetTenant($id: ID!) { tenant(id: $id) { ${tenantFields} } }`,
    input: ({ params }) => ({ id: params.id }),
    output: (answer) => ({
      tenant: withoutNulls([answer.tenant], 'external_uuid', 'import_source')[0],
    }),
    status: 200,
    response: object({ tenant }),
  }),
  route<{ createTenant: { tenant: Tenant; admin_user: object } }>({
    method: 'POST',
    path: '/api/v1/tenants',
    summary: 'Open a tenant with its first user',
    tag: 'Tenants',
    run: `mutation CreateTenant($input: CreateTenantInput!) { createTenant(input: $input) {
      tenant { ${tenantFields} }
      admin_user: adminUser { id username role role_id: roleId tenant_id: tenantId email state } } }`,
    input: ({ body }) => ({
      input: {
        name: field.text(body, 'name') ?? field.required(body, 'slug'),
        slug: field.required(body, 'slug'),
        adminPassword: field.required(body, 'admin_password'),
      },
    }),
    output: ({ createTenant }) => ({
      tenant: withoutNulls([createTenant.tenant], 'external_uuid', 'import_source')[0],
      admin_user: createTenant.admin_user,
    }),
    status: 201,
    request: object({ 'name?': text, slug: text, admin_password: text }),
    response: object({ tenant, admin_user: adminUser }),
  }),
  route<{ deleteTenant: { tenant: { id: string } } }>({
    method: 'DELETE',
    path: '/api/v1/tenants/{id}',
    summary: 'Delete a tenant and everything in it',
    tag: 'Tenants',
    run: `mutation DeleteTenant($input: DeleteTenantInput!) { deleteTenant(input: $input) { tenant { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: ({ deleteTenant }) => ({ deleted: true, id: deleteTenant.tenant.id }),
    status: 200,
    response: object({ deleted: { type: 'boolean', const: true }, id }),
  }),
]
