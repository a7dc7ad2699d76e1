import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody, orBlank } from '../../../engine/rest/request-body.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list } from '../../../engine/rest/json-schema.ts'
import { loggedIn } from './user-shape.ts'

const { id, text, time } = scalar

interface Viewer {
  home_tenant_id: string | null
  tenant: { id: string } | null
  tenant_id?: string
}

const viewer = new ResponseShape<Viewer>(
  'Viewer',
  {
    id,
    username: text,
    role: text,
    email: { schema: text, before: 'permissions' },
    role_id: id,
    permissions: list(text),
    home_tenant_id: hidden,
    tenant: { ...hidden, selection: 'id' },
    tenant_id: {
      schema: { ...id, description: 'The tenant in which the user acts.' },
      from: null,
      before: 'email',
    },
  },
  (row) => {
    row.tenant_id = row.tenant?.id ?? row.home_tenant_id ?? ''
  },
)

const session = new ResponseShape(
  { type: 'LoginPayload', name: 'LoginResult' },
  { token: text, expires_at: time, user: loggedIn.schema },
)

const credentials = new RequestBody({ username: text, password: text, 'code?': orBlank(text) })

const passwords = new RequestBody({ current_password: text, new_password: text })

export const authRoutes: RestRoute[] = [
  route<{ login: { token: string; expires_at: string; user: object; permissions: string[] } }>({
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Log in with a password and get a token',
    tag: 'Login',
    run: `mutation Login($input: LoginInput!) { login(input: $input) { token expires_at: expiresAt permissions
      user { ${loggedIn.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ login: { token, expires_at, user, permissions } }) => ({
      token,
      expires_at,
      user: { ...loggedIn.toWire(user), permissions },
    }),
    status: 200,
    public: true,
    headers: { 'cache-control': 'no-store' },
    request: credentials,
    response: session.schema,
  }),
  route<{ viewer: Viewer }>({
    method: 'GET',
    path: '/api/v1/auth/me',
    summary: 'Get the logged-in user',
    tag: 'Login',
    run: `query GetMe { viewer { ${viewer.selection} } }`,
    input: () => ({}),
    output: (answer) => viewer.toWire(answer.viewer),
    status: 200,
    headers: { 'cache-control': 'no-store' },
    response: viewer.schema,
  }),
  route<object>({
    method: 'POST',
    path: '/api/v1/auth/password',
    summary: 'Change the password of the logged-in user',
    tag: 'Login',
    run: `mutation ChangePassword($input: ChangePasswordInput!) { changePassword(input: $input) { user { id } } }`,
    input: ({ body }) => ({ input: body }),
    output: () => null,
    status: 204,
    request: passwords,
    response: null,
  }),
]
