import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { NounRoutes } from '../../../engine/rest/noun-routes.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import { type RestRoute } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { usualFilters } from '../list-filters.ts'

const { id, text, time } = scalar

const key = new ResponseShape('SshKey', {
  id,
  tenant_id: id,
  name: text,
  public_key: text,
  fingerprint: text,
  created_at: time,
})

const newKey = new RequestBody({ name: nameField() })
const knownKey = new RequestBody({ name: nameField(), public_key: text })

const keys = new NounRoutes({
  tag: 'SSH keys',
  path: '/api/v1/ssh-keys',
  type: 'SshKey',
  shape: key,
})

export const sshKeyRoutes: RestRoute[] = [
  keys.list('List the SSH keys of the tenant', { filters: usualFilters }),
  keys.get('Get an SSH key'),
  keys.create('Create an SSH key; its private key is shown only once', {
    name: 'key',
    body: newKey,
    beside: new ResponseShape('CreateSshKeyPayload', { private_key_pem: text }),
    headers: { 'cache-control': 'no-store' },
  }),
  keys.create('Register an existing public key', {
    path: '/api/v1/ssh-keys/register',
    mutation: 'RegisterSshKey',
    name: 'key',
    body: knownKey,
  }),
  keys.delete('Delete an SSH key; VMs that have it keep it'),
]
