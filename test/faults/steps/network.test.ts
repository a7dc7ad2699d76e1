import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type Config } from '../../../server/src/runtime/config/config.ts'
import { networkActions } from '../../support/actions/network-actions.ts'
import {
  type NetworkScenario,
  fastWorld,
  operationEnded,
  networkScenario,
  vpcScenario,
} from '../../support/scenarios/network-scenarios.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type FixtureContext } from '../../support/requests/request-fixtures.ts'
import { adminPassword, unique } from '../../support/world/world.ts'

/** Creates a tenant with a VPC for further networks, all of them active. */
async function aContext(
  options: Parameters<typeof fastWorld>[0] = {},
): Promise<FixtureContext & { vpcId: string }> {
  const world = await fastWorld(options)
  const context = { world, tenant: await world.tenant() }
  const { vpc } = await networkActions(() => context).aVpc({ prefix: 16 })
  await operationEnded(context, 'create_vpc', vpc.id)
  await world.networksOpen()
  return { ...context, vpcId: vpc.id }
}

async function lifecycleOf(
  context: FixtureContext,
  { kinds: [create, remove], ...scenario }: NetworkScenario,
  id: string,
): Promise<unknown[]> {
  await operationEnded(context, create, id)
  const alive = await scenario.stateOf(id)
  await scenario.remove(id)
  await operationEnded(context, remove, id)
  return [alive, await scenario.stateOf(id)]
}

function onKubeOvn({ cluster, network }: Config): void {
  cluster.with = ['kube-ovn']
  network.driver = 'kube-ovn'
}

const nouns = [
  { noun: 'VPC', kinds: ['create_vpc', 'delete_vpc'] },
  { noun: 'network', kinds: ['create_network', 'delete_network'] },
  { noun: 'network of Kube-OVN', kinds: ['create_network', 'delete_network'], config: onKubeOvn },
] satisfies { noun: string; kinds: NetworkScenario['kinds']; config?: typeof onKubeOvn }[]

const scenarioOf = (noun: string, context: FixtureContext & { vpcId: string }): NetworkScenario =>
  noun === 'VPC' ? vpcScenario(context) : networkScenario(context, context.vpcId)

const momentsOf = (kinds: Parameters<typeof allStepFailpoints>[0]) =>
  allStepFailpoints(kinds).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )

describe.each(nouns)('each step of the operations of a $noun', ({ noun, kinds, config }) => {
  let context: FixtureContext & { vpcId: string }
  let scenario: NetworkScenario
  let scenarios: StepFaultScenarios
  let undisturbedId: string
  let expected: unknown[]
  beforeAll(async () => {
    context = await aContext(config ? { config } : {})
    scenario = scenarioOf(noun, context)
    scenarios = new StepFaultScenarios(kinds)
    undisturbedId = await scenarios.begin([], () => scenario.begin())
    expected = await lifecycleOf(context, scenario, undisturbedId)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kinds))
    expect(expected).toMatchObject([
      { state: 'active', gone: false, bound: true },
      { gone: true, bound: null },
    ])
  })

  test.concurrent.each(stepFaultScenarios(kinds))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, () => scenario.begin())
      expect(await lifecycleOf(context, scenario, id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  test.concurrent.each(momentsOf([kinds[0]]))(
    'a delete during a step ends the operation and leaves nothing: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is requested.
      const id = await scenarios.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], () =>
        scenario.begin(),
      )
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await scenario.remove(id)
      await operationEnded(context, kinds[1], id)
      expect(await scenario.stateOf(id)).toMatchObject({ gone: true, bound: null })
      expect(
        await context.world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})

describe('the deletion of a tenant', () => {
  let context: FixtureContext
  let scenarios: StepFaultScenarios
  beforeAll(async () => {
    const world = await fastWorld()
    context = { world, tenant: await world.tenant() }
    scenarios = new StepFaultScenarios(['create_vpc', 'create_network'])
  })
  afterAll(() => scenarios[Symbol.dispose]())

  const idOf = async (table: string, tenantId: string): Promise<string> =>
    String(
      (
        await context.world.database.sql(`select id from ${table} where tenant_id = '${tenantId}'`)
      )[0]?.id,
    )

  test.concurrent.each(momentsOf(['create_vpc', 'create_network']))(
    'a tenant that is deleted while its first network is created leaves nothing: $where $at',
    async ({ at, where }) => {
      const { root, database, cluster } = context.world
      const made = await root.rest('POST', '/tenants', {
        body: { slug: unique('brief'), admin_password: adminPassword },
      })
      const { id } = made.body.tenant
      const subjects = {
        create_vpc: await idOf('vpc', id),
        create_network: await idOf('network', id),
      }
      const subject = at.startsWith('create_vpc') ? subjects.create_vpc : subjects.create_network
      for (const each of Object.values(subjects))
        await scenarios.begin(
          each === subject ? [{ at, where, do: 'delay', delayMs: 150, nth: 1 }] : [],
          () => Promise.resolve(each),
        )
      await waitFor(() => scenarios.arrivalsOf(subject).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await root.rest('DELETE', `/tenants/${id}`)
      expect((await context.world.ended('delete_tenant', id)).state).toBe('succeeded')
      const open = `select name from vpc where tenant_id = '${id}' and gone_at is null
        union all select name from network where tenant_id = '${id}' and gone_at is null`
      expect(await database.sql(open)).toEqual([])
      expect((await cluster.call(`/api/v1/namespaces/vpc-${subjects.create_vpc}`)).status).toBe(404)
    },
  )
})

describe('a worker that is killed or paused at a step of a network', () => {
  let context: FixtureContext & { vpcId: string }
  let workers: WorldWorkers
  beforeAll(async () => {
    // A worker opens the tenant and its VPC as well.
    const world = await fastWorld({ worker: false })
    workers = new WorldWorkers(world)
    void workers.start()
    const tenant = await world.tenant()
    const { vpc } = await networkActions(() => ({ world, tenant })).aVpc({ prefix: 16 })
    await operationEnded({ world }, 'create_vpc', vpc.id)
    await world.networksOpen()
    context = { world, tenant, vpcId: vpc.id }
    await workers.stop()
  })
  afterAll(() => workers.stop())

  test.each(nouns)(
    'a worker that is killed or paused leaves nothing of a $noun unfinished',
    async ({ noun, kinds }) => {
      const scenario = scenarioOf(noun, context)
      const [createKind, ...later] = kinds
      const scenarios = await workerFaultScenarios(
        workers,
        { creation: createKind, later },
        { begin: () => scenario.begin(), ask: (_kind, id) => scenario.remove(id) },
      )
      const [alive, gone] = await lifecycleOf(context, scenario, await scenario.begin())
      await context.world.networksOpen()
      for (const { kind, fault, id } of scenarios)
        expect([fault, await scenario.stateOf(id)]).toEqual([
          fault,
          kind === createKind ? alive : gone,
        ])
      expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
        new Set(allStepFailpoints(kinds)),
      )
      await workers.stop()
    },
    300_000,
  )
})
