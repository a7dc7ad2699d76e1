import { type ForeignIdCase } from './foreign-id-case.ts'

/** Fields that take the id of a tenant, an account, an SSH key or an operation. */
export const foreignAccountCases: readonly ForeignIdCase[] = [
  ['role', 'role', (id) => ['query ($id: ID!) { role(id: $id) { id } }', { id }]],
  ['user', 'user', (id) => ['query ($id: ID!) { user(id: $id) { id } }', { id }]],
  [
    'role',
    'updateRole',
    (id) => [
      'mutation ($i: UpdateRoleInput!) { updateRole(input: $i) { role { id } } }',
      { i: { id, description: 'mine' } },
    ],
  ],
  [
    'role',
    'deleteRole',
    (id) => [
      'mutation ($i: DeleteRoleInput!) { deleteRole(input: $i) { role { id } } }',
      { i: { id } },
    ],
  ],
  [
    'role',
    'createUser.roleId',
    (id) => [
      'mutation ($i: CreateUserInput!) { createUser(input: $i) { user { id } } }',
      { i: { username: 'x1', password: 'long enough', roleId: id } },
    ],
  ],
  [
    'user',
    'updateUser',
    (id) => [
      'mutation ($i: UpdateUserInput!) { updateUser(input: $i) { user { id } } }',
      { i: { id, email: 'a@b.example' } },
    ],
  ],
  [
    'user',
    'deleteUser',
    (id) => [
      'mutation ($i: DeleteUserInput!) { deleteUser(input: $i) { user { id } } }',
      { i: { id } },
    ],
  ],
  [
    'user',
    'resetSecondFactor',
    (id) => [
      'mutation ($i: ResetSecondFactorInput!) { resetSecondFactor(input: $i) { user { id } } }',
      { i: { id } },
    ],
  ],
  [
    'key',
    'revokeApiKey',
    (id) => [
      'mutation ($i: RevokeApiKeyInput!) { revokeApiKey(input: $i) { apiKey { id } } }',
      { i: { id } },
    ],
  ],
  [
    'session',
    'endSession',
    (id) => [
      'mutation ($i: EndSessionInput!) { endSession(input: $i) { session { id } } }',
      { i: { id } },
    ],
  ],
  ['operation', 'operation', (id) => ['query ($id: ID!) { operation(id: $id) { id } }', { id }]],
  [
    'operation',
    'cancelOperation',
    (id) => [
      'mutation ($i: CancelOperationInput!) { cancelOperation(input: $i) { operation { id } } }',
      { i: { id } },
    ],
  ],
  [
    'user',
    'operations.actorId',
    (id) => [
      'query ($id: ID!) { operations(filter: { actorId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  [
    'operation',
    'operations.targetId',
    (id) => [
      'query ($id: ID!) { operations(filter: { targetId: $id }) { totalCount nodes { id } } }',
      { id },
    ],
  ],
  ['tenant', 'tenant', (id) => ['query ($id: ID!) { tenant(id: $id) { id } }', { id }]],
  [
    'tenant',
    'updateTenantQuota',
    (id) => [
      'mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }',
      { i: { id, vms: 1 } },
    ],
  ],
  ['sshKey', 'sshKey', (id) => ['query ($id: ID!) { sshKey(id: $id) { id } }', { id }]],
  [
    'sshKey',
    'deleteSshKey',
    (id) => [
      'mutation ($i: DeleteSshKeyInput!) { deleteSshKey(input: $i) { sshKey { id } } }',
      { i: { id } },
    ],
  ],
]
