import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { type World, aWorld, adminPassword, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

const kindsHere = ['create_tenant', 'delete_tenant'] as const

/** Returns the final state of a tenant, without values that differ between runs. */
async function endState(world: World, id: string): Promise<unknown> {
  const [tenant] = await world.database.sql(
    `select slug, state, state_reason, namespace, gone_at is not null as gone, cluster_uid is not null as bound from tenant where id = '${id}'`,
  )
  const operations = await world.database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const people = await world.database.sql(
    `select count(*)::int as n from user_account where tenant_id = '${id}'`,
  )
  const namespace = (await world.cluster.call(`/api/v1/namespaces/${String(tenant?.namespace)}`))
    .body
  return {
    ...tenant,
    slug: '',
    namespace: namespace.metadata.name ? Object.keys(namespace.metadata.labels ?? {}).sort() : null,
    people: people[0]?.n,
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
    })),
  }
}

async function create(world: World): Promise<string> {
  const made = await world.root.rest('POST', '/tenants', {
    body: { slug: unique('steps'), admin_password: adminPassword },
  })
  return made.body.tenant.id
}

async function lifecycleOf(world: World, id: string): Promise<unknown[]> {
  await world.ended('create_tenant', id)
  const alive = await endState(world, id)
  await world.root.rest('DELETE', `/tenants/${id}`)
  await world.ended('delete_tenant', id)
  return [alive, await endState(world, id)]
}

describe.concurrent('each step of a tenant’s operations', () => {
  let world: World
  let scenarios: StepFaultScenarios
  let undisturbedId: string
  let expected: unknown[]
  beforeAll(async () => {
    world = await aWorld()
    scenarios = new StepFaultScenarios(kindsHere)
    undisturbedId = await scenarios.begin([], () => create(world))
    expected = await lifecycleOf(world, undisturbedId)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kindsHere))
    expect(expected).toMatchObject([
      { state: 'active', people: 1, bound: true },
      { gone: true, people: 0, namespace: null },
    ])
  })

  test.each(stepFaultScenarios(kindsHere))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, () => create(world))
      expect(await lifecycleOf(world, id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )
})

describe('a worker that is killed or paused at a step of a tenant', () => {
  let world: World
  let workers: WorldWorkers
  beforeAll(async () => {
    world = await aWorld({ worker: false })
    workers = new WorldWorkers(world)
  })
  afterAll(() => workers.stop())

  test('a worker that is killed or paused at any step leaves nothing unfinished', async () => {
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: 'create_tenant', later: ['delete_tenant'] },
      {
        begin: () => create(world),
        ask: (_kind, id) => world.root.rest('DELETE', `/tenants/${id}`),
      },
    )
    const [alive, gone] = await lifecycleOf(world, await create(world))
    for (const { fault, kind, id } of scenarios)
      expect([fault, await endState(world, id)]).toEqual([
        fault,
        kind === 'delete_tenant' ? gone : alive,
      ])
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(kindsHere)),
    )
  }, 300_000)
})
