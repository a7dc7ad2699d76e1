import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepPoints } from '../../../server/src/domain/operation/kind.ts'
import { type Config } from '../../../server/src/runtime/config/config.ts'
import { networkActs } from '../../support/actions/network-actions.ts'
import {
  type NetLife,
  hurriedWorld,
  netEnded,
  networkLife,
  vpcLife,
} from '../../support/scenarios/network-scenarios.ts'
import { WorldWorkers, struckLives } from '../../support/scenarios/worker-fault-scenarios.ts'
import {
  TroubledLives,
  livesOfTrouble,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Place } from '../../support/requests/request-fixtures.ts'
import { adminPassword, unique } from '../../support/world/world.ts'

/** A tenant with a VPC that other networks can be in, all of them open. */
async function aPlace(
  options: Parameters<typeof hurriedWorld>[0] = {},
): Promise<Place & { vpcId: string }> {
  const world = await hurriedWorld(options)
  const place = { world, tenant: await world.tenant() }
  const { vpc } = await networkActs(() => place).aVpc({ prefix: 16 })
  await netEnded(place, 'create_vpc', vpc.id)
  await world.networksOpen()
  return { ...place, vpcId: vpc.id }
}

async function whole(
  place: Place,
  { kinds: [create, remove], ...life }: NetLife,
  id: string,
): Promise<unknown[]> {
  await netEnded(place, create, id)
  const alive = await life.stateOf(id)
  await life.remove(id)
  await netEnded(place, remove, id)
  return [alive, await life.stateOf(id)]
}

function onKubeOvn({ cluster, network }: Config): void {
  cluster.with = ['kube-ovn']
  network.driver = 'kube-ovn'
}

const nouns = [
  { noun: 'VPC', kinds: ['create_vpc', 'delete_vpc'] },
  { noun: 'network', kinds: ['create_network', 'delete_network'] },
  { noun: 'network of Kube-OVN', kinds: ['create_network', 'delete_network'], config: onKubeOvn },
] satisfies { noun: string; kinds: NetLife['kinds']; config?: typeof onKubeOvn }[]

const lifeOf = (noun: string, place: Place & { vpcId: string }): NetLife =>
  noun === 'VPC' ? vpcLife(place) : networkLife(place, place.vpcId)

const momentsOf = (kinds: Parameters<typeof allStepPoints>[0]) =>
  allStepPoints(kinds).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )

describe.each(nouns)('each step of the operations of a $noun', ({ noun, kinds, config }) => {
  let place: Place & { vpcId: string }
  let life: NetLife
  let lives: TroubledLives
  let untroubled: string
  let expected: unknown[]
  beforeAll(async () => {
    place = await aPlace(config ? { config } : {})
    life = lifeOf(noun, place)
    lives = new TroubledLives(kinds)
    untroubled = await lives.begin([], () => life.begin())
    expected = await whole(place, life, untroubled)
  })
  afterAll(() => lives[Symbol.dispose]())

  test('has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(lives.arrivalsOf(untroubled))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kinds))
    expect(expected).toMatchObject([
      { state: 'active', gone: false, bound: true },
      { gone: true, bound: null },
    ])
  })

  test.concurrent.each(livesOfTrouble(kinds))(
    'that meets trouble ends as if there had been none: $told',
    async ({ troubles }) => {
      const id = await lives.begin(troubles, () => life.begin())
      expect(await whole(place, life, id)).toEqual(expected)
      expect(troubles.filter((trouble) => !lives.isMet(id, trouble))).toEqual([])
    },
  )

  test.concurrent.each(momentsOf([kinds[0]]))(
    'that meets a delete ends with the delete, and nothing is left: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is asked for.
      const id = await lives.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], () =>
        life.begin(),
      )
      await waitFor(() => lives.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await life.remove(id)
      await netEnded(place, kinds[1], id)
      expect(await life.stateOf(id)).toMatchObject({ gone: true, bound: null })
      expect(
        await place.world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})

describe('the end of a tenant', () => {
  let place: Place
  let lives: TroubledLives
  beforeAll(async () => {
    const world = await hurriedWorld()
    place = { world, tenant: await world.tenant() }
    lives = new TroubledLives(['create_vpc', 'create_network'])
  })
  afterAll(() => lives[Symbol.dispose]())

  const idOf = async (table: string, tenantId: string): Promise<string> =>
    String(
      (await place.world.database.sql(`select id from ${table} where tenant_id = '${tenantId}'`))[0]
        ?.id,
    )

  test.concurrent.each(momentsOf(['create_vpc', 'create_network']))(
    'that comes while its first network is made leaves nothing: $where $at',
    async ({ at, where }) => {
      const { root, database, cluster } = place.world
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
        await lives.begin(
          each === subject ? [{ at, where, do: 'delay', delayMs: 150, nth: 1 }] : [],
          () => Promise.resolve(each),
        )
      await waitFor(() => lives.arrivalsOf(subject).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await root.rest('DELETE', `/tenants/${id}`)
      expect((await place.world.ended('delete_tenant', id)).state).toBe('succeeded')
      const open = `select name from vpc where tenant_id = '${id}' and gone_at is null
        union all select name from network where tenant_id = '${id}' and gone_at is null`
      expect(await database.sql(open)).toEqual([])
      expect((await cluster.call(`/api/v1/namespaces/vpc-${subjects.create_vpc}`)).status).toBe(404)
    },
  )
})

describe('a worker that is killed or paused at a step of a network', () => {
  let place: Place & { vpcId: string }
  let workers: WorldWorkers
  beforeAll(async () => {
    // What opens the tenant and its VPC is a worker as well.
    const world = await hurriedWorld({ worker: false })
    workers = new WorldWorkers(world)
    void workers.start()
    const tenant = await world.tenant()
    const { vpc } = await networkActs(() => ({ world, tenant })).aVpc({ prefix: 16 })
    await netEnded({ world }, 'create_vpc', vpc.id)
    await world.networksOpen()
    place = { world, tenant, vpcId: vpc.id }
    await workers.stop()
  })
  afterAll(() => workers.stop())

  test.each(nouns)(
    'leaves nothing of a $noun that the next one does not finish',
    async ({ noun, kinds }) => {
      const life = lifeOf(noun, place)
      const [making, ...later] = kinds
      const lives = await struckLives(
        workers,
        { making, later },
        { begin: () => life.begin(), ask: (_kind, id) => life.remove(id) },
      )
      const [alive, gone] = await whole(place, life, await life.begin())
      await place.world.networksOpen()
      for (const { kind, blow, id } of lives)
        expect([blow, await life.stateOf(id)]).toEqual([blow, kind === making ? alive : gone])
      expect(new Set(lives.map(({ blow }) => blow.at))).toEqual(new Set(allStepPoints(kinds)))
      await workers.stop()
    },
    300_000,
  )
})
