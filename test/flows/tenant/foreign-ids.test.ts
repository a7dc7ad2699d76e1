import { randomUUID } from 'node:crypto'
import { isInterfaceType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildBerthSchema } from '../../../server/src/compose/schema.ts'
import { powerVerbNames } from '../../../server/src/domain/vm/power-verbs.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { foreignCases } from '../../support/requests/foreign-id-cases.ts'
import { type ForeignRow, restCases } from '../../support/requests/foreign-id-rows.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { stateAtRest, stateHash } from '../../support/world/database-state.ts'
import { type Client, type WireAnswer } from '../../support/clients/http-client.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

let world: World
let acme: WorldTenant
let rival: WorldTenant
let own: ReturnType<Parameters<typeof foreignCases>[0]> & Parameters<typeof restCases>[0]
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.05 })
  acme = await world.tenant('acme')
  rival = await world.tenant('rival')
  const context = { world, tenant: acme }
  const vm = await make.vm(context)
  own = {
    platformTemplate: (await acme.admin.ask('{ vmTemplates(first: 1) { nodes { id } } }'))
      .vmTemplates.nodes[0].id,
    vm: vm.id,
    vmName: vm.name,
    user: (await make.user(context)).id,
    securityGroup: (await make.securityGroup(context)).id,
    volume: (await make.volume(context)).id,
    network: (await make.network(context)).id,
    vmSnapshot: (await make.vmSnapshot(context)).id,
    rivalsGroup: (await make.securityGroup({ world, tenant: rival })).id,
  }
  await world.ended('deploy_vm', own.vm)
  await world.ended('create_volume', own.volume)
})

describe('foreign ids', () => {
  const cases = foreignCases(() => own)
  /** Creates one object of each noun in the rival tenant, except the existing ones. */
  const ofRival = async (
    existing: Readonly<Record<string, string>> = {},
  ): Promise<Record<string, string>> => {
    const context = { world, tenant: rival }
    const operation = await world.ended('create_tenant', rival.id)
    const theirs: Record<string, string> = {
      operation: operation.id,
      tenant: rival.id,
      ...existing,
    }
    for (const [noun, makeOne] of Object.entries(make)) {
      if (noun in theirs) continue
      const { id, name } = await makeOne(context)
      Object.assign(theirs, { [noun]: id, [`${noun}Name`]: name })
    }
    return theirs
  }
  const send = (
    client: Client,
    { method, path, body }: ReturnType<ForeignRow['ask']>,
  ): Promise<WireAnswer> => client.rest(method, path, body ? { body } : {})
  const normalized = (
    { status, text }: { status: number; text: string },
    id: string,
  ): unknown[] => [
    status,
    text.replaceAll(id, 'ID').replace(/"(requestId|request_id)":"[^"]+"/, ''),
  ]

  test(
    'a foreign id over GraphQL gets the same answer as an absent one and changes nothing',
    { timeout: 360_000 },
    async () => {
      const theirs = await ofRival()
      const before = await stateAtRest(world.database)
      for (const [noun, name, document] of cases) {
        expect(theirs, name).toHaveProperty(noun)
        const [foreign, absent] = [theirs[noun]!, randomUUID()]
        const [one, other] = [
          await acme.admin.graphql(...document(foreign)),
          await acme.admin.graphql(...document(absent)),
        ]
        expect([name, ...normalized(one, foreign)]).toEqual([name, ...normalized(other, absent)])
      }
      expect(await stateHash(world.database)).toBe(before)
      // The positive control: the rival can use the same ids.
      const refusedNow = [
        'tenant',
        'updateTenantQuota',
        'cancelOperation',
        'retryVmTemplateImport',
        'createVmConsoleTicket',
        'attachVolume',
        'detachVolume',
        'ejectVmIso',
        'revertVmDrift',
        'acceptVmDrift',
        'resetSecondFactor',
        'retryVm',
        ...powerVerbNames.map((verb) => `${verb}Vm`),
      ]
      const nodeTypes = new Set<string>()
      for (const [noun, name, document] of cases.filter(
        ([, field]) => !refusedNow.includes(field) && !field.includes('.'),
      )) {
        const answer = await rival.admin.graphql(...document(theirs[noun]!))
        const isAnswered = !Object.values(answer.data ?? { none: null }).includes(null)
        const refusal = name === 'deleteRole' && answer.code ? 'not_found' : null
        expect([name, answer.code, isAnswered]).toEqual([name, refusal, refusal === null])
        if (name === 'node') nodeTypes.add(answer.data?.node.__typename)
        if (!/^(delete|revoke)/.test(name)) continue
        const { [noun]: _deleted, ...remaining } = theirs
        Object.assign(theirs, await ofRival(remaining))
      }
      // A service offering belongs to no tenant.
      const schema = buildBerthSchema()
      const node = schema.getType('Node')
      const types = isInterfaceType(node) ? schema.getPossibleTypes(node) : []
      expect([...nodeTypes, 'ServiceOffering'].sort()).toEqual(types.map(({ name }) => name).sort())
    },
  )

  test(
    'a foreign id over REST gets the same answer as an absent one and changes nothing',
    { timeout: 360_000 },
    async () => {
      const rows = restCases(own)
      const theirs = await ofRival()
      const before = await stateAtRest(world.database)
      for (const { name, noun, ask } of rows) {
        expect(theirs, name).toHaveProperty(noun)
        const [foreign, absent] = [
          theirs[noun]!,
          noun.endsWith('Name') ? unique('planted') : randomUUID(),
        ]
        const [one, other] = [
          await send(acme.admin, ask(foreign)),
          await send(acme.admin, ask(absent)),
        ]
        expect([name, ...normalized(one, foreign)]).toEqual([name, ...normalized(other, absent)])
        // The refusal names the foreign id, unless the client may not use the route at all. A
        // filter by a foreign id matches nothing.
        const isNamed = one.status === 404 && one.text.includes(foreign)
        const isEmpty = one.status === 200 && /^\{"\w+":\[\]\}\n?$/.test(one.text)
        expect([name, one.status === 403 || isNamed || isEmpty]).toEqual([name, true])
      }
      expect(await stateHash(world.database)).toBe(before)
      // The positive control: the rival can use the same ids.
      for (const { name, noun, ask } of rows.filter(
        ({ name: row }) => row.startsWith('GET') && !/tenants|platform-vms/.test(row),
      ))
        expect([name, (await send(rival.admin, ask(theirs[noun]!))).status]).toEqual([name, 200])
    },
  )

  test('each id argument of the schema that names an object of a tenant has a case here', async () => {
    const { __schema: schema } = await world.root
      .ask(`{ __schema { types { kind name fields { name args { name type { ...T } } } inputFields { name type { ...T } } } } }
      fragment T on __Type { name ofType { name ofType { name ofType { name ofType { name } } } } }`)
    const nameOf = (type: Json): string => type.name ?? nameOf(type.ofType)
    const inputs = new Map<string, Json[]>(
      schema.types
        .filter(({ kind }: Json) => kind === 'INPUT_OBJECT')
        .map(({ name, inputFields }: Json) => [name, inputFields]),
    )
    const idsOf = (field: Json): string[] =>
      field.args.flatMap((arg: Json) => {
        const type = nameOf(arg.type)
        const ids = (inputs.get(type) ?? [])
          .filter((input: Json) => nameOf(input.type) === 'ID')
          .map((input: Json) => (input.name === 'id' ? field.name : `${field.name}.${input.name}`))
        return type === 'ID' ? [field.name] : ids
      })
    const fields = schema.types
      .filter(({ name }: Json) => ['Query', 'Mutation'].includes(name))
      .flatMap(({ fields: own }: Json) => own)
    const ofPlatform = [
      'serviceOffering',
      'updateServiceOffering',
      'deleteServiceOffering',
      'updateTenant',
      'deleteTenant',
      'updateUser.roleId',
      'createVm.serviceOfferingId',
      'updateVm.serviceOfferingId',
      // Only root may list the VMs of all tenants.
      'platformVms.networkId',
      'platformVms.templateId',
      'platformVms.tenantId',
    ]
    expect(
      [...new Set(fields.flatMap(idsOf))].filter((name: Json) => !ofPlatform.includes(name)).sort(),
    ).toEqual([...new Set(cases.map(([, name]) => name))].sort())
  })
})
