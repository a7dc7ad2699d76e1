import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { RequestBody, freeText, orBlank, orEmpty } from '../../../engine/rest/request-body.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, oneOf } from '../../../engine/rest/json-schema.ts'

const { id, text } = scalar

const fields = {
  id,
  username: text,
  role: oneOf('root', 'tenant_admin', 'user'),
  role_id: id,
  tenant_id: id,
  email: text,
  state: text,
}

/** A user, as REST returns it. */
export const user = new ResponseShape('User', { ...fields, version: hidden })

/** The first user of a tenant, whose version the response does not need. */
export const account = new ResponseShape('User', fields)

/** The user in the response to a login, with permissions. */
export const loggedIn = new ResponseShape(
  { type: 'User', name: 'LoggedInUser' },
  {
    ...fields,
    permissions: {
      schema: { ...list(text), description: 'The permissions of the user.' },
      from: null,
      before: 'state',
    },
  },
)

export const newUser = new RequestBody({
  username: text,
  password: text,
  'email?': orBlank(text),
  'role_id?': orBlank(id),
  'role_name?': orBlank(text),
})

export const userChange = new RequestBody({
  'email?': { ...freeText, absent: [''] },
  'role_id?': orEmpty(id),
  'role_name?': orEmpty(text),
  'state?': orEmpty(oneOf('active', 'disabled')),
})
