import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sandboxFaults } from '../support/sandbox-faults.ts'
import { make } from '../support/world-acts.ts'
import { stateHash } from '../support/world-state.ts'
import { type World, type WorldTenant, aWorld } from '../support/world.ts'
import { type Json } from '../support/json.ts'

let world: World
let acme: WorldTenant
let rival: WorldTenant
let platformTemplate: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).order('pace', { factor: 0.05 })
  acme = await world.tenant('acme')
  rival = await world.tenant('rival')
  platformTemplate = (await acme.admin.ask('{ vmTemplates(first: 1) { nodes { id } } }')).vmTemplates.nodes[0].id
})

type Case = [noun: string, name: string, document: (id: string) => [string, Record<string, unknown>]]

const vmVerb =
  (name: string) =>
  (id: string): [string, Record<string, unknown>] => [
    `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i) { vm { id } } }`,
    { i: { id } },
  ]

const newVm = (input: Record<string, unknown>): [string, Record<string, unknown>] => [
  'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }',
  { i: { name: 'planted', ...input } },
]

describe('a foreign id', () => {
  /** A field with an id argument, and how to make something of the rival's that it could name. */
  const cases: Case[] = [
    [
      'role',
      'updateRole',
      (id) => ['mutation ($i: UpdateRoleInput!) { updateRole(input: $i) { role { id } } }', { i: { id, description: 'mine' } }],
    ],
    ['role', 'deleteRole', (id) => ['mutation ($i: DeleteRoleInput!) { deleteRole(input: $i) { role { id } } }', { i: { id } }]],
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
      (id) => ['mutation ($i: UpdateUserInput!) { updateUser(input: $i) { user { id } } }', { i: { id, email: 'a@b.example' } }],
    ],
    ['user', 'deleteUser', (id) => ['mutation ($i: DeleteUserInput!) { deleteUser(input: $i) { user { id } } }', { i: { id } }]],
    ['key', 'revokeApiKey', (id) => ['mutation ($i: RevokeApiKeyInput!) { revokeApiKey(input: $i) { apiKey { id } } }', { i: { id } }]],
    ['operation', 'operation', (id) => ['query ($id: ID!) { operation(id: $id) { id } }', { id }]],
    [
      'operation',
      'cancelOperation',
      (id) => ['mutation ($i: CancelOperationInput!) { cancelOperation(input: $i) { operation { id } } }', { i: { id } }],
    ],
    [
      'user',
      'operations.actorId',
      (id) => ['query ($id: ID!) { operations(filter: { actorId: $id }) { totalCount nodes { id } } }', { id }],
    ],
    [
      'operation',
      'operations.targetId',
      (id) => ['query ($id: ID!) { operations(filter: { targetId: $id }) { totalCount nodes { id } } }', { id }],
    ],
    ['template', 'vmTemplate', (id) => ['query ($id: ID!) { vmTemplate(id: $id) { id } }', { id }]],
    [
      'template',
      'updateVmTemplate',
      (id) => [
        'mutation ($i: UpdateVmTemplateInput!) { updateVmTemplate(input: $i) { vmTemplate { id } } }',
        { i: { id, description: 'mine' } },
      ],
    ],
    [
      'template',
      'retryVmTemplateImport',
      (id) => ['mutation ($i: RetryVmTemplateImportInput!) { retryVmTemplateImport(input: $i) { vmTemplate { id } } }', { i: { id } }],
    ],
    [
      'template',
      'deleteVmTemplate',
      (id) => ['mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } } }', { i: { id } }],
    ],
    ['vm', 'vmLog', (id) => ['query ($id: ID!) { vmLog(id: $id) { reason } }', { id }]],
    ['vm', 'vm', (id) => ['query ($id: ID!) { vm(id: $id) { id } }', { id }]],
    ...(['startVm', 'stopVm', 'restartVm', 'pauseVm', 'resumeVm', 'updateVm', 'deleteVm'] as const).map((name): Case => [
      'vm',
      name,
      vmVerb(name),
    ]),
    [
      'vm',
      'createVmConsoleTicket',
      (id) => ['mutation ($i: CreateVmConsoleTicketInput!) { createVmConsoleTicket(input: $i) { ticket } }', { i: { id, kind: 'serial' } }],
    ],
    ['template', 'createVm.templateId', (id) => newVm({ templateId: id })],
    ['sshKey', 'createVm.sshKeyIds', (id) => newVm({ templateId: platformTemplate, sshKeyIds: [id] })],
    ['tenant', 'tenant', (id) => ['query ($id: ID!) { tenant(id: $id) { id } }', { id }]],
    [
      'tenant',
      'updateTenantQuota',
      (id) => ['mutation ($i: UpdateTenantQuotaInput!) { updateTenantQuota(input: $i) { tenant { id } } }', { i: { id, vms: 1 } }],
    ],
    ['sshKey', 'sshKey', (id) => ['query ($id: ID!) { sshKey(id: $id) { id } }', { id }]],
    ['sshKey', 'deleteSshKey', (id) => ['mutation ($i: DeleteSshKeyInput!) { deleteSshKey(input: $i) { sshKey { id } } }', { i: { id } }]],
  ]
  const ofRival = async (): Promise<Record<string, string>> => {
    const place = { world, tenant: rival }
    const operation = await world.ended('create_tenant', rival.id)
    return {
      role: (await make.role(place)).id,
      user: (await make.user(place)).id,
      key: (await make.key(place)).id,
      template: (await make.template(place)).id,
      operation: operation.id,
      tenant: rival.id,
      sshKey: (await make.sshKey(place)).id,
      vm: (await make.vm(place)).id,
    }
  }
  const told = ({ status, text }: { status: number; text: string }, id: string): unknown[] => [
    status,
    text.replaceAll(id, 'ID').replace(/"(requestId|request_id)":"[^"]+"/, ''),
  ]

  test('is answered over GraphQL like one that nobody has, and touches nothing', async () => {
    const theirs = await ofRival()
    await world.ended('deploy_vm', theirs['vm']!)
    const before = await stateHash(world.database)
    for (const [noun, name, document] of cases) {
      const [foreign, absent] = [theirs[noun]!, randomUUID()]
      const [one, other] = [await acme.admin.graphql(...document(foreign)), await acme.admin.graphql(...document(absent))]
      expect([name, ...told(one, foreign)]).toEqual([name, ...told(other, absent)])
    }
    expect(await stateHash(world.database)).toBe(before)
    // The positive control: for the rival the very same ids mean something.
    const refusedNow = [
      'tenant',
      'updateTenantQuota',
      'cancelOperation',
      'retryVmTemplateImport',
      'createVmConsoleTicket',
      ...['start', 'stop', 'restart', 'pause', 'resume'].map((verb) => `${verb}Vm`),
    ]
    for (const [noun, name, document] of cases.filter(([, field]) => !refusedNow.includes(field) && !field.includes('.'))) {
      const answer = await rival.admin.graphql(...document(theirs[noun]!))
      expect([name, answer.code, Object.values(answer.data ?? {}).includes(null)]).toEqual([
        name,
        name === 'deleteRole' && answer.code ? 'not_found' : null,
        false,
      ])
      Object.assign(theirs, await ofRival())
    }
  })

  test('is answered over REST like one that nobody has, and touches nothing', async () => {
    const theirs = await ofRival()
    await world.ended('deploy_vm', theirs['vm']!)
    const before = await stateHash(world.database)
    const rows = [
      ['PATCH', '/roles', 'role'],
      ['DELETE', '/roles', 'role'],
      ['PATCH', '/users', 'user'],
      ['DELETE', '/users', 'user'],
      ['DELETE', '/api-keys', 'key'],
      ['GET', '/operations', 'operation'],
      ['GET', '/tenants', 'tenant'],
      ['DELETE', '/tenants', 'tenant'],
    ] as const
    for (const [method, path, noun] of rows) {
      const [foreign, absent] = [theirs[noun]!, randomUUID()]
      const send = (id: string) =>
        acme.admin.rest(method, `${path}/${id}`, method === 'PATCH' ? { body: { description: 'mine', email: 'a@b.example' } } : {})
      expect([path, ...told(await send(foreign), foreign)]).toEqual([path, ...told(await send(absent), absent)])
    }
    expect(await stateHash(world.database)).toBe(before)
  })

  test('has a case here for every id argument of the schema that names a thing of a tenant', async () => {
    const { __schema: schema } = await world.root
      .ask(`{ __schema { types { kind name fields { name args { name type { ...T } } } inputFields { name type { ...T } } } } }
      fragment T on __Type { name ofType { name ofType { name ofType { name ofType { name } } } } }`)
    const nameOf = (type: Json): string => type.name ?? nameOf(type.ofType)
    const inputs = new Map<string, Json[]>(
      schema.types.filter(({ kind }: Json) => kind === 'INPUT_OBJECT').map(({ name, inputFields }: Json) => [name, inputFields]),
    )
    const idsOf = (field: Json): string[] =>
      field.args.flatMap((arg: Json) => {
        const type = nameOf(arg.type)
        const ids = (inputs.get(type) ?? [])
          .filter((input: Json) => nameOf(input.type) === 'ID')
          .map((input: Json) => (input.name === 'id' ? field.name : `${field.name}.${input.name}`))
        return type === 'ID' ? [field.name] : ids
      })
    const fields = schema.types.filter(({ name }: Json) => ['Query', 'Mutation'].includes(name)).flatMap(({ fields: own }: Json) => own)
    const ofPlatform = [
      'serviceOffering',
      'updateServiceOffering',
      'deleteServiceOffering',
      'updateTenant',
      'deleteTenant',
      'updateUser.roleId',
      'createVm.serviceOfferingId',
      'updateVm.serviceOfferingId',
    ]
    expect([...new Set(fields.flatMap(idsOf))].filter((name: Json) => !ofPlatform.includes(name)).sort()).toEqual(
      [...new Set(cases.map(([, name]) => name))].sort(),
    )
  })
})
