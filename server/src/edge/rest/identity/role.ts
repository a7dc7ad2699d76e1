import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import {
  RequestBody,
  type RequestField,
  freeText,
  orBlank,
} from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'

const { flag, id, text, time } = scalar

const role = new ResponseShape({
  id,
  'tenant_id?': id,
  name: text,
  'description?': text,
  is_system: flag,
  'permissions?': list(text),
  created_at: time,
})

/** Older clients send null for a list that they leave out. */
const permissions: RequestField = { schema: list(text), absent: [null] }

const roleChange = new RequestBody({
  'description?': { ...freeText, absent: [''] },
  'permissions?': permissions,
})
const newRole = new RequestBody({
  name: text,
  'description?': orBlank(text),
  'permissions?': { ...permissions, convert: (sent) => sent ?? [] },
})

export const roleRoutes: RestRoute[] = [
  route<{ roles: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/roles',
    summary: "List the roles that can be assigned: the platform's and the tenant's own",
    tag: 'Roles',
    run: `query ListRoles($first: Int, $after: String) { roles(first: $first, after: $after) { nodes { ${role.selection} } ${pageFields} } }`,
    input: ({ query }) => pageVariables(query),
    output: ({ roles }) => ({ roles: role.toWireAll(roles.nodes) }),
    pageOf: ({ roles }) => roles.pageInfo,
    status: 200,
    response: object({ roles: list(role.schema) }),
  }),
  route<{ createRole: { role: object } }>({
    method: 'POST',
    path: '/api/v1/roles',
    summary: 'Create a role',
    tag: 'Roles',
    run: `mutation CreateRole($input: CreateRoleInput!) { createRole(input: $input) { role { ${role.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createRole }) => ({ role: role.toWire(createRole.role) }),
    status: 201,
    created: '/api/v1/roles/{id}',
    request: newRole,
    response: object({ role: role.schema }),
  }),
  route<{ updateRole: { role: object } }>({
    method: 'PATCH',
    path: '/api/v1/roles/{id}',
    summary: 'Update a role',
    tag: 'Roles',
    run: `mutation UpdateRole($input: UpdateRoleInput!) { updateRole(input: $input) { role { ${role.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    output: ({ updateRole }) => ({ role: role.toWire(updateRole.role) }),
    status: 200,
    request: roleChange,
    response: object({ role: role.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/roles/{id}',
    summary: 'Delete a role',
    tag: 'Roles',
    run: `mutation DeleteRole($input: DeleteRoleInput!) { deleteRole(input: $input) { role { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => null,
    status: 204,
    response: null,
  }),
]
