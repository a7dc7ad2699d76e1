import { ResponseShape, hidden } from '../../../engine/rest/response-shape.ts'
import { NounRoutes, noContent } from '../../../engine/rest/noun-routes.ts'
import {
  RequestBody,
  type RequestField,
  freeText,
  orBlank,
} from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list } from '../../../engine/rest/json-schema.ts'

const { flag, id, text, time } = scalar

const role = new ResponseShape('Role', {
  id,
  'tenant_id?': id,
  name: text,
  'description?': text,
  is_system: flag,
  'permissions?': list(text),
  created_at: time,
  version: hidden,
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

const roles = new NounRoutes({ tag: 'Roles', path: '/api/v1/roles', type: 'Role', shape: role })

export const roleRoutes: RestRoute[] = [
  roles.list("List the roles that can be assigned: the platform's and the tenant's own", {
    filters: {},
  }),
  roles.get('Get a role'),
  roles.create('Create a role', { body: newRole }),
  roles.update('Update a role', { body: roleChange }),
  roles.delete('Delete a role', noContent),
]
