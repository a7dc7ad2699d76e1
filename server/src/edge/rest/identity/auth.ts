import { field } from '../../../engine/rest/field.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'

const { id, text, time } = scalar

interface User {
  id: string
}

interface Viewer {
  id: string
  username: string
  role: string
  email: string
  role_id: string
  permissions: string[]
  home_tenant_id: string | null
  tenant: { id: string } | null
}

const identity = {
  id,
  username: text,
  role: text,
  role_id: id,
  tenant_id: id,
  email: text,
  permissions: list(text),
}

export const authRoutes: RestRoute[] = [
  route<{ login: { token: string; expires_at: string; user: User; permissions: string[] } }>({
    method: 'POST',
    path: '/api/v1/auth/login',
    summary: 'Log in with a password and get a token',
    tag: 'Login',
    run: `mutation Login($input: LoginInput!) { login(input: $input) { token expires_at: expiresAt permissions
      user { id username role role_id: roleId tenant_id: tenantId email state } } }`,
    input: ({ body }) => ({
      input: {
        username: field.required(body, 'username'),
        password: field.required(body, 'password'),
      },
    }),
    output: ({ login: { token, expires_at, user, permissions } }) => ({
      token,
      expires_at,
      user: { ...user, permissions },
    }),
    status: 200,
    public: true,
    headers: { 'cache-control': 'no-store' },
    request: object({ username: text, password: text }),
    response: object({ token: text, expires_at: time, user: object({ ...identity, state: text }) }),
  }),
  route<{ viewer: Viewer }>({
    method: 'GET',
    path: '/api/v1/auth/me',
    summary: 'Who am I',
    tag: 'Login',
    run: `query Me { viewer { id username role email role_id: roleId permissions home_tenant_id: homeTenantId tenant { id } } }`,
    input: () => ({}),
    output: ({ viewer: { tenant, home_tenant_id, ...viewer } }) => ({
      ...viewer,
      tenant_id: tenant?.id ?? home_tenant_id ?? '',
    }),
    status: 200,
    headers: { 'cache-control': 'no-store' },
    response: object(identity),
  }),
]
