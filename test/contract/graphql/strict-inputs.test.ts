import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { type GraphAnswer } from '../../support/clients/http-client.ts'
import { type Json } from '../../support/json.ts'
import { type FixtureContext, make } from '../../support/requests/request-fixtures.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { aWorld, unique } from '../../support/world/world.ts'

/*
 * Sends each field of each input of each mutation with values that it must not accept. The fields
 * come from the schema, so a new field is tested at once.
 */
let context: FixtureContext
beforeAll(async () => {
  const world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  context = { world, tenant: await world.tenant('acme') }
})

const schema = buildBerthSchema()
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(
  ({ name, args }) => {
    const type = args.find((arg) => arg.name === 'input')?.type
    const input = type === undefined ? null : getNamedType(type)
    return isInputObjectType(input) ? [{ name, input }] : []
  },
)
type Mutation = (typeof mutations)[number]
const named = (mutation: Mutation): [string, Mutation] => [mutation.name, mutation]

/** These mutations are for root. */
const ofRoot = [
  'createServiceOffering',
  'deleteServiceOffering',
  'deleteTenant',
  'updateServiceOffering',
  'updateTenant',
  'updateTenantQuota',
]

function send({ name, input: type }: Mutation, input: Json): Promise<GraphAnswer> {
  const { world, tenant } = context
  const client = ofRoot.includes(name) ? world.root : tenant.admin
  const document = `mutation ($i: ${type.name}!) { ${name}(input: $i) { __typename } }`
  return client.graphql(document, { i: input })
}

/** Returns the smallest value of a type; its texts name nothing that exists. */
function smallest(type: GraphQLInputType): Json {
  if (isNonNullType(type)) return smallest(type.ofType)
  if (isListType(type)) return [smallest(type.ofType)]
  if (isEnumType(type)) return type.getValues()[0]?.name
  if (isInputObjectType(type)) return smallestInput(type)
  return { Boolean: true, Int: 1 }[type.name] ?? 'absent'
}

const smallestInput = (type: GraphQLInputObjectType): Json =>
  Object.fromEntries(
    Object.values(type.getFields()).flatMap((field) =>
      isNonNullType(field.type) ? [[field.name, smallest(field.type)]] : [],
    ),
  )

describe('types', () => {
  test.each(mutations.map(named))(
    '%s refuses a field that it does not have',
    async (_, mutation) => {
      const sample = smallestInput(mutation.input)
      expect((await send(mutation, { ...sample, frobnicate: 1 })).code).toBe('invalid_input')
      for (const { name, type } of Object.values(mutation.input.getFields())) {
        const inner = getNamedType(type)
        if (!isInputObjectType(inner)) continue
        const value = { ...smallestInput(inner), frobnicate: 1 }
        const answer = await send(mutation, { ...sample, [name]: isListOf(type) ? [value] : value })
        expect([name, answer.code]).toEqual([name, 'invalid_input'])
      }
    },
  )

  test.each(mutations.map(named))('%s refuses a field of another type', async (_, mutation) => {
    const sample = smallestInput(mutation.input)
    for (const name of Object.keys(mutation.input.getFields())) {
      const answer = await send(mutation, { ...sample, [name]: { wrong: true } })
      expect([name, answer.code]).toEqual([name, 'invalid_input'])
    }
  })
})

const isListOf = (type: GraphQLInputType): boolean =>
  isListType(isNonNullType(type) ? type.ofType : type)

type ValidInput = (context: FixtureContext) => Promise<object> | object

const idOf =
  (noun: keyof typeof make, more: Json = {}): ValidInput =>
  async (context) => ({ id: (await make[noun](context)).id, ...more })

const rules = [
  { direction: 'ingress', protocol: 'tcp', cidr: '10.0.0.0/8', portFrom: 1, portTo: 9 },
]

async function networkOfVm(context: FixtureContext): Promise<object> {
  return { vmId: (await make.vm(context)).id, networkId: (await make.network(context)).id }
}

/** A valid input for each mutation that takes a number. */
const validInputs: Readonly<Record<string, ValidInput>> = {
  acceptVmDrift: idOf('vm'),
  attachNetwork: networkOfVm,
  createApiKey: () => ({ name: 'ci' }),
  createNetwork: async (context) => ({
    name: unique('network'),
    vpcId: (await make.vpc(context)).id,
  }),
  createSecurityGroup: () => ({ name: unique('group'), rules }),
  createServiceOffering: () => ({ name: unique('size'), cpu: 1, memoryMi: 512 }),
  createSnapshotSchedule: async (context) => ({
    name: unique('schedule'),
    volumeId: (await make.volume(context)).id,
    cron: '0 0 29 2 *',
    keep: 1,
  }),
  createVm: async (context) => ({
    name: unique('vm'),
    templateId: (await make.template(context)).id,
    start: false,
  }),
  createVmTemplate: () => ({ name: unique('template'), image: 'quay.io/containerdisks/fedora:40' }),
  createVolume: () => ({ name: unique('volume') }),
  createVpc: () => ({ name: unique('vpc') }),
  deleteNetwork: idOf('network'),
  deleteRole: idOf('role'),
  deleteSecurityGroup: idOf('securityGroup'),
  deleteSnapshotSchedule: idOf('schedule'),
  deleteServiceOffering: idOf('offering'),
  deleteTenant: ({ tenant }) => ({ id: tenant.id }),
  deleteUser: idOf('user'),
  deleteVm: idOf('vm'),
  deleteVmTemplate: idOf('template'),
  deleteVolume: idOf('volume'),
  deleteVolumeSnapshot: idOf('snapshot'),
  deleteVpc: idOf('vpc'),
  detachNetwork: networkOfVm,
  ejectVmIso: idOf('vm'),
  exposeVmSsh: idOf('vm'),
  pauseSnapshotSchedule: idOf('schedule'),
  pauseVm: idOf('vm'),
  resetSecondFactor: idOf('user'),
  restartVm: idOf('vm'),
  revertVmDrift: idOf('vm'),
  resumeSnapshotSchedule: idOf('schedule'),
  resumeVm: idOf('vm'),
  retryVm: idOf('vm'),
  retryVmTemplateImport: idOf('template'),
  setVmSecurityGroups: async (context) => ({
    id: (await make.vm(context)).id,
    securityGroupIds: [(await make.securityGroup(context)).id],
  }),
  startVm: idOf('vm'),
  stopVm: idOf('vm'),
  updateNetwork: idOf('network', { name: 'other' }),
  updateRole: idOf('role'),
  updateSecurityGroup: idOf('securityGroup', { rules }),
  updateServiceOffering: idOf('offering'),
  updateSnapshotSchedule: idOf('schedule'),
  updateTenant: ({ tenant }) => ({ id: tenant.id, name: 'Acme' }),
  updateTenantQuota: ({ tenant }) => ({ id: tenant.id }),
  updateUser: idOf('user'),
  updateVm: idOf('vm'),
  updateVmTemplate: idOf('template'),
  updateVolume: idOf('volume'),
  updateVpc: idOf('vpc', { name: 'other' }),
}

/** A quota of zero allows no object. */
const isQuota = ({ name }: Mutation): boolean => name === 'updateTenantQuota'

/** Returns the fields that are whole numbers, nested ones after a dot. */
const numbersIn = (type: GraphQLInputObjectType): string[] =>
  Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type)
    if (isInputObjectType(inner)) return numbersIn(inner).map((path) => `${field.name}.${path}`)
    return inner === GraphQLInt ? [field.name] : []
  })

/** Returns the input with a number in a field, or in the first object of its list. */
function withNumber(input: Json, path: string, value: number): Json {
  const [name = '', inner] = path.split('.')
  return inner === undefined
    ? { ...input, [name]: value }
    : { ...input, [name]: [{ ...input[name][0], [inner]: value }] }
}

describe('numbers', () => {
  const withNumbers = mutations.filter(({ input }) => numbersIn(input).length > 0)

  test.each(withNumbers.map(named))(
    '%s refuses zero and negative numbers',
    async (name, mutation) => {
      const input: Json = await (validInputs[name] ?? expect.unreachable(name))(context)
      for (const path of numbersIn(mutation.input))
        for (const value of isQuota(mutation) ? [-1] : [0, -1]) {
          const { code, text } = await send(mutation, withNumber(input, path, value))
          const refusal = path === 'ifVersion' ? 'version_conflict' : 'invalid_input'
          expect([path, value, code, text]).toEqual([path, value, refusal, expect.any(String)])
        }
    },
  )

  test('a list refuses a page of zero or fewer rows', async () => {
    const lists = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
      ({ args }) =>
        args.some((arg) => arg.name === 'first') && args.every((arg) => !isNonNullType(arg.type)),
    )
    expect(lists.length).toBeGreaterThan(10)
    for (const { name } of lists)
      for (const first of [0, -1]) {
        const { code } = await context.world.root.graphql(
          `{ ${name}(first: ${first}) { __typename } }`,
        )
        expect([name, first, code]).toEqual([name, first, 'invalid_input'])
      }
  })

  test('a mutation refuses a negative wait', async () => {
    const document =
      'mutation ($i: CreateVpcInput!) { createVpc(input: $i, waitSeconds: -1) { __typename } }'
    const { code } = await context.tenant.admin.graphql(document, { i: { name: unique('vpc') } })
    expect(code).toBe('invalid_input')
  })
})

describe('problems', () => {
  const name = 'Ünïcödé !!'
  const cases: [string, Json, string[]][] = [
    [
      'createApiKey',
      { name: ' ', scopes: [], expiresInDays: 0 },
      ['name', 'scopes', 'expiresInDays'],
    ],
    ['createServiceOffering', { name, cpu: 0, memoryMi: -1 }, ['name', 'cpu', 'memoryMi']],
    [
      'createVmTemplate',
      { name, image: 'https://example.com', bootDiskSizeGi: 0 },
      ['name', 'image', 'bootDiskSizeGi'],
    ],
    ['createUser', { username: ' ', password: 'x', email: 'nobody' }, ['username', 'email']],
    ['createSnapshotSchedule', { name, cron: 'never', keep: 0 }, ['name', 'keep', 'cron', 'vmId']],
    [
      'createSecurityGroup',
      { name: ' ', rules: [{ direction: 'egress', protocol: 'tcp', portFrom: 0 }] },
      ['name', 'rules[0].portFrom', 'rules[0]'],
    ],
    [
      'createVm',
      { name, displayName: 'x'.repeat(300), exposeSsh: true, podNetwork: false },
      ['name', 'displayName', 'exposeSsh'],
    ],
  ]
  test.each(cases)('%s tells all problems of its input at once', async (mutation, input, paths) => {
    const found = mutations.find((each) => each.name === mutation) ?? expect.unreachable(mutation)
    const { body } = await send(found, input)
    const fields: Json[] = body.errors[0].extensions.fields
    expect(fields.map(({ path }) => path)).toEqual(paths)
    for (const path of paths) expect(body.errors[0].message).toContain(path)
  })
})
