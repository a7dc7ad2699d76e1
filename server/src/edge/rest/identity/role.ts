import { field } from '../../../engine/rest/field.ts'
import { pageOf, pageFields, withoutNulls } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'

const { flag, id, text, time } = scalar

interface Role {
  tenant_id: string | null | undefined
}

const fields =
  'id tenant_id: tenantId name description is_system: isSystem permissions created_at: createdAt'

const role = object({
  id,
  'tenant_id?': id,
  name: text,
  'description?': text,
  is_system: flag,
  'permissions?': list(text),
  created_at: time,
})

export const roleRoutes: RestRoute[] = [
  route<{ roles: { nodes: Role[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/roles',
    summary: "List the roles that can be given: the platform's and the tenant's own",
    tag: 'Roles',
    run: `query ListRoles($first: Int, $after: String) { roles(first: $first, after: $after) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => pageOf(query),
    output: ({ roles }) => ({ roles: withoutNulls(roles.nodes, 'tenant_id') }),
    pageOf: ({ roles }) => roles.pageInfo,
    status: 200,
    response: object({ roles: list(role) }),
  }),
  route<{ createRole: { role: Role } }>({
    method: 'POST',
    path: '/api/v1/roles',
    summary: 'Add a role',
    tag: 'Roles',
    run: `mutation CreateRole($input: CreateRoleInput!) { createRole(input: $input) { role { ${fields} } } }`,
    input: ({ body }) => ({
      input: {
        name: field.required(body, 'name'),
        description: field.text(body, 'description'),
        permissions: field.texts(body, 'permissions') ?? [],
      },
    }),
    output: ({ createRole }) => ({ role: createRole.role }),
    status: 201,
    request: object({ name: text, 'description?': text, 'permissions?': list(text) }),
    response: object({ role }),
  }),
  route<{ updateRole: { role: Role } }>({
    method: 'PATCH',
    path: '/api/v1/roles/{id}',
    summary: 'Change a role',
    tag: 'Roles',
    run: `mutation UpdateRole($input: UpdateRoleInput!) { updateRole(input: $input) { role { ${fields} } } }`,
    input: ({ params, body }) => ({
      input: {
        id: params.id,
        description: field.text(body, 'description'),
        permissions: field.texts(body, 'permissions'),
      },
    }),
    output: ({ updateRole }) => ({ role: updateRole.role }),
    status: 200,
    request: object({ 'description?': text, 'permissions?': list(text) }),
    response: object({ role }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/roles/{id}',
    summary: 'Remove a role',
    tag: 'Roles',
    run: `mutation DeleteRole($input: DeleteRoleInput!) { deleteRole(input: $input) { role { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => null,
    status: 204,
    response: null,
  }),
]
