import { pageFields, pageVariables } from '../../../engine/rest/request-query.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { newUser, user, userChange } from './user-shape.ts'

export const userRoutes: RestRoute[] = [
  route<{ users: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/users',
    summary: 'List the users of the tenant',
    tag: 'Users',
    run: `query ListUsers($first: Int, $after: String) { users(first: $first, after: $after) { nodes { ${user.selection} } ${pageFields} } }`,
    input: ({ query }) => pageVariables(query),
    output: ({ users }) => ({ users: user.toWireAll(users.nodes) }),
    pageOf: ({ users }) => users.pageInfo,
    status: 200,
    response: object({ users: list(user.schema) }),
  }),
  route<{ createUser: { user: object } }>({
    method: 'POST',
    path: '/api/v1/users',
    summary: 'Create a user',
    tag: 'Users',
    run: `mutation CreateUser($input: CreateUserInput!) { createUser(input: $input) { user { ${user.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createUser }) => ({ user: user.toWire(createUser.user) }),
    status: 201,
    created: '/api/v1/users/{id}',
    request: newUser,
    response: object({ user: user.schema }),
  }),
  route<{ updateUser: { user: object } }>({
    method: 'PATCH',
    path: '/api/v1/users/{id}',
    summary: 'Update a user',
    tag: 'Users',
    run: `mutation UpdateUser($input: UpdateUserInput!) { updateUser(input: $input) { user { ${user.selection} } } }`,
    input: ({ params, body }) => ({ input: { id: params.id, ...body } }),
    output: ({ updateUser }) => ({ user: user.toWire(updateUser.user) }),
    status: 200,
    request: userChange,
    response: object({ user: user.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/users/{id}',
    summary: 'Delete a user',
    tag: 'Users',
    run: `mutation DeleteUser($input: DeleteUserInput!) { deleteUser(input: $input) { user { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => null,
    status: 204,
    response: null,
  }),
]
