import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { WorldWorkers, struckLives } from '../../support/scenarios/worker-fault-scenarios.ts'
import {
  TroubledLives,
  livesOfTrouble,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { type World, aWorld, adminPassword, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

const kindsHere = ['create_tenant', 'delete_tenant'] as const

/** What is left of a tenant's life, without what differs from life to life. */
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

async function whole(world: World, id: string): Promise<unknown[]> {
  await world.ended('create_tenant', id)
  const alive = await endState(world, id)
  await world.root.rest('DELETE', `/tenants/${id}`)
  await world.ended('delete_tenant', id)
  return [alive, await endState(world, id)]
}

describe.concurrent('each step of a tenant’s operations', () => {
  let world: World
  let lives: TroubledLives
  let untroubled: string
  let expected: unknown[]
  beforeAll(async () => {
    world = await aWorld()
    lives = new TroubledLives(kindsHere)
    untroubled = await lives.begin([], () => create(world))
    expected = await whole(world, untroubled)
  })
  afterAll(() => lives[Symbol.dispose]())

  test('has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(lives.arrivalsOf(untroubled))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kindsHere))
    expect(expected).toMatchObject([
      { state: 'active', people: 1, bound: true },
      { gone: true, people: 0, namespace: null },
    ])
  })

  test.each(livesOfTrouble(kindsHere))(
    'that meets trouble ends as if there had been none: $told',
    async ({ troubles }) => {
      const id = await lives.begin(troubles, () => create(world))
      expect(await whole(world, id)).toEqual(expected)
      expect(troubles.filter((trouble) => !lives.isMet(id, trouble))).toEqual([])
    },
  )
})

describe('a worker that is killed or paused at a step', () => {
  let world: World
  let workers: WorldWorkers
  beforeAll(async () => {
    world = await aWorld({ worker: false })
    workers = new WorldWorkers(world)
  })
  afterAll(() => workers.stop())

  test('leaves nothing that the next one does not finish, at any step', async () => {
    const lives = await struckLives(
      workers,
      { making: 'create_tenant', later: ['delete_tenant'] },
      {
        begin: () => create(world),
        ask: (_kind, id) => world.root.rest('DELETE', `/tenants/${id}`),
      },
    )
    const [alive, gone] = await whole(world, await create(world))
    for (const { blow, kind, id } of lives)
      expect([blow, await endState(world, id)]).toEqual([
        blow,
        kind === 'delete_tenant' ? gone : alive,
      ])
    expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(kindsHere)))
  }, 300_000)
})
