import { field } from '../../../engine/rest/field.ts'
import { pageOf, pageFields } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object, oneOf } from '../../../engine/rest/shapes.ts'

const { id, text } = scalar

const fields = 'id username role role_id: roleId tenant_id: tenantId email state'

const user = object({
  id,
  username: text,
  role: oneOf('root', 'tenant_admin', 'user'),
  role_id: id,
  tenant_id: id,
  email: text,
  state: text,
})

export const userRoutes: RestRoute[] = [
  route<{ users: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/users',
    summary: 'List the users of the tenant',
    tag: 'Users',
    run: `query ListUsers($first: Int, $after: String) { users(first: $first, after: $after) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => pageOf(query),
    output: ({ users }) => ({ users: users.nodes }),
    pageOf: ({ users }) => users.pageInfo,
    status: 200,
    response: object({ users: list(user) }),
  }),
  route<{ createUser: { user: object } }>({
    method: 'POST',
    path: '/api/v1/users',
    summary: 'Add a user',
    tag: 'Users',
    run: `mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { user { ${fields} } } }`,
    input: ({ body }) => ({
      input: {
        username: field.required(body, 'username'),
        password: field.required(body, 'password'),
        email: field.text(body, 'email'),
        roleId: field.text(body, 'role_id'),
        roleName: field.text(body, 'role_name'),
      },
    }),
    output: ({ createUser }) => ({ user: createUser.user }),
    status: 201,
    request: object({
      username: text,
      password: text,
      'email?': text,
      'role_id?': id,
      'role_name?': text,
    }),
    response: object({ user }),
  }),
  route<{ updateUser: { user: object } }>({
    method: 'PATCH',
    path: '/api/v1/users/{id}',
    summary: 'Change a user',
    tag: 'Users',
    run: `mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { ${fields} } } }`,
    input: ({ params, body }) => ({
      input: {
        id: params.id,
        email: field.text(body, 'email'),
        roleId: field.text(body, 'role_id'),
        state: field.text(body, 'state'),
      },
    }),
    output: ({ updateUser }) => ({ user: updateUser.user }),
    status: 200,
    request: object({ 'email?': text, 'role_id?': id, 'state?': oneOf('active', 'disabled') }),
    response: object({ user }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/users/{id}',
    summary: 'Remove a user',
    tag: 'Users',
    run: `mutation DeleteUser($input: DeleteUserInput!) { deleteUser(input: $input) { user { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => null,
    status: 204,
    response: null,
  }),
]
