import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { listParameters, listVariables, pageFields } from '../../../engine/rest/request-query.ts'
import { RequestBody, nameField } from '../../../engine/rest/request-body.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/json-schema.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const key = new ResponseShape({
  id,
  tenant_id: id,
  name: text,
  public_key: text,
  fingerprint: text,
  created_at: time,
})

const newKey = new RequestBody({ name: nameField() })
const knownKey = new RequestBody({ name: nameField(), public_key: text })

export const sshKeyRoutes: RestRoute[] = [
  route<{ sshKeys: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/ssh-keys',
    summary: 'List the SSH keys of the tenant',
    tag: 'SSH keys',
    run: `query ListSshKeys($first: Int, $after: String, $filter: SshKeyFilter, $orderBy: SshKeyOrder) {
      sshKeys(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${key.selection} } ${pageFields} } }`,
    input: ({ query }) => listVariables(query),
    output: ({ sshKeys }) => ({ ssh_keys: key.toWireAll(sshKeys.nodes) }),
    pageOf: ({ sshKeys }) => sshKeys.pageInfo,
    status: 200,
    query: listParameters,
    response: object({ ssh_keys: list(key.schema) }),
  }),
  route<{ sshKey: object }>({
    method: 'GET',
    path: '/api/v1/ssh-keys/{id}',
    summary: 'Get an SSH key',
    tag: 'SSH keys',
    run: `query GetSshKey($id: ID!) { sshKey(id: $id) { ${key.selection} } }`,
    input: ({ params }) => ({ id: params.id }),
    output: ({ sshKey }) => ({ ssh_key: key.toWire(sshKey) }),
    status: 200,
    response: object({ ssh_key: key.schema }),
  }),
  route<{ createSshKey: { key: object; private_key_pem: string } }>({
    method: 'POST',
    path: '/api/v1/ssh-keys',
    summary: 'Create an SSH key; its private key is shown only once',
    tag: 'SSH keys',
    run: `mutation CreateSshKey($input: CreateSshKeyInput!) {
      createSshKey(input: $input) { key: sshKey { ${key.selection} } private_key_pem: privateKeyPem } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ createSshKey: { key: made, private_key_pem } }) => ({
      key: key.toWire(made),
      private_key_pem,
    }),
    status: 201,
    created: '/api/v1/ssh-keys/{id}',
    headers: { 'cache-control': 'no-store' },
    request: newKey,
    response: object({ key: key.schema, private_key_pem: text }),
  }),
  route<{ registerSshKey: { key: object } }>({
    method: 'POST',
    path: '/api/v1/ssh-keys/register',
    summary: 'Register an existing public key',
    tag: 'SSH keys',
    run: `mutation RegisterSshKey($input: RegisterSshKeyInput!) { registerSshKey(input: $input) { key: sshKey { ${key.selection} } } }`,
    input: ({ body }) => ({ input: body }),
    output: ({ registerSshKey }) => ({ key: key.toWire(registerSshKey.key) }),
    status: 201,
    created: '/api/v1/ssh-keys/{id}',
    request: knownKey,
    response: object({ key: key.schema }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/ssh-keys/{id}',
    summary: 'Delete an SSH key; VMs that have it keep it',
    tag: 'SSH keys',
    run: `mutation DeleteSshKey($input: DeleteSshKeyInput!) { deleteSshKey(input: $input) { sshKey { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
