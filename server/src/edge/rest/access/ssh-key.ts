import { field } from '../../../engine/rest/field.ts'
import { listing, pageFields } from '../../../engine/rest/input.ts'
import { type PageInfo, type RestRoute, route } from '../../../engine/rest/route.ts'
import { scalar } from '../../../engine/rest/scalar.ts'
import { list, object } from '../../../engine/rest/shapes.ts'
import { success } from '../../../engine/rest/success.ts'

const { id, text, time } = scalar

const fields = 'id tenant_id: tenantId name public_key: publicKey fingerprint created_at: createdAt'

const key = object({
  id,
  tenant_id: id,
  name: text,
  public_key: text,
  fingerprint: text,
  created_at: time,
})

export const sshKeyRoutes: RestRoute[] = [
  route<{ sshKeys: { nodes: object[]; pageInfo: PageInfo } }>({
    method: 'GET',
    path: '/api/v1/ssh-keys',
    summary: 'List the SSH keys of the tenant',
    tag: 'SSH keys',
    run: `query ListSshKeys($first: Int, $after: String, $filter: SshKeyFilter, $orderBy: SshKeyOrder) {
      sshKeys(first: $first, after: $after, filter: $filter, orderBy: $orderBy) { nodes { ${fields} } ${pageFields} } }`,
    input: ({ query }) => listing.variables(query),
    output: ({ sshKeys }) => ({ ssh_keys: sshKeys.nodes }),
    pageOf: ({ sshKeys }) => sshKeys.pageInfo,
    status: 200,
    query: listing.query,
    response: object({ ssh_keys: list(key) }),
  }),
  route<{ createSshKey: { key: object; private_key_pem: string } }>({
    method: 'POST',
    path: '/api/v1/ssh-keys',
    summary: 'Make an SSH key; its private part is shown once',
    tag: 'SSH keys',
    run: `mutation CreateSshKey($input: CreateSshKeyInput!) {
      createSshKey(input: $input) { key: sshKey { ${fields} } private_key_pem: privateKeyPem } }`,
    input: ({ body }) => ({ input: { name: field.required(body, 'name') } }),
    output: ({ createSshKey }) => createSshKey,
    status: 201,
    headers: { 'cache-control': 'no-store' },
    request: object({ name: text }),
    response: object({ key, private_key_pem: text }),
  }),
  route<{ registerSshKey: { key: object } }>({
    method: 'POST',
    path: '/api/v1/ssh-keys/register',
    summary: 'Add a public key that exists',
    tag: 'SSH keys',
    run: `mutation RegisterSshKey($input: RegisterSshKeyInput!) { registerSshKey(input: $input) { key: sshKey { ${fields} } } }`,
    input: ({ body }) => ({
      input: { name: field.required(body, 'name'), publicKey: field.required(body, 'public_key') },
    }),
    output: ({ registerSshKey }) => registerSshKey,
    status: 201,
    request: object({ name: text, public_key: text }),
    response: object({ key }),
  }),
  route<object>({
    method: 'DELETE',
    path: '/api/v1/ssh-keys/{id}',
    summary: 'Remove an SSH key; VMs that have it keep it',
    tag: 'SSH keys',
    run: `mutation DeleteSshKey($input: DeleteSshKeyInput!) { deleteSshKey(input: $input) { sshKey { id } } }`,
    input: ({ params }) => ({ input: { id: params.id } }),
    output: () => ({ success: true }),
    status: 200,
    response: success,
  }),
]
