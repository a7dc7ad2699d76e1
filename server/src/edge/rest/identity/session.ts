import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { NounRoutes, noContent } from '../../../engine/rest/noun-routes.ts'
import { type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { oneOf } from '../../../engine/rest/json-schema.ts'

const { id, text, time, flag } = scalar

const session = new ResponseShape('Session', {
  id,
  user_id: id,
  username: text,
  tenant_id: id,
  kind: oneOf('session', 'token'),
  user_agent: text,
  address: text,
  is_current: flag,
  created_at: time,
  last_used_at: time,
  expires_at: time,
})

const sessions = new NounRoutes({
  tag: 'Login',
  path: '/api/v1/sessions',
  type: 'Session',
  shape: session,
})

export const sessionRoutes: RestRoute[] = [
  sessions.list('List the logins that are still valid', {
    filters: {},
    sorts: ['created_at', 'last_used_at'],
  }),
  sessions.delete('End a login', { mutation: 'EndSession', ...noContent }),
  route<object>({
    method: 'POST',
    path: '/api/v1/auth/logout',
    summary: 'End the login of this request',
    tag: 'Login',
    run: 'mutation Logout { logout { session { id } } }',
    input: () => ({}),
    output: () => null,
    status: 204,
    response: null,
  }),
]
