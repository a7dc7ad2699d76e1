import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type Images, serveImages } from '../../support/sandbox/image-server.ts'
import {
  WorldWorkers,
  workerFaultScenarios,
} from '../../support/scenarios/worker-fault-scenarios.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'
import { type Json } from '../../support/json.ts'

const kindsHere = ['import_iso', 'delete_vm_template'] as const

let images: Images
beforeAll(async () => {
  images = await serveImages()
})
afterAll(() => images[Symbol.asyncDispose]())

interface Context {
  world: World
  tenant: WorldTenant
}

const create =
  'mutation ($i: CreateVmTemplateInput!) { createVmTemplate(input: $i) { vmTemplate { id } } }'
const remove =
  'mutation ($i: DeleteVmTemplateInput!) { deleteVmTemplate(input: $i) { vmTemplate { id } } }'

async function begin({ tenant }: Context): Promise<string> {
  const i = {
    name: unique('steps'),
    sourceType: 'iso',
    image: `${images.origin}/${unique('a')}.iso`,
    isoSizeGi: 1,
  }
  return (await tenant.admin.ask(create, { i })).createVmTemplate.vmTemplate.id
}

const volumePath = ({ tenant }: Context, id: string): string =>
  `/apis/cdi.kubevirt.io/v1beta1/namespaces/${tenant.namespace}/datavolumes/iso-${id}`

/** Returns the final state of a template, without values that differ between runs. */
async function endState(context: Context, id: string): Promise<unknown> {
  const { database, cluster } = context.world
  const [template] = await database.sql(
    `select import_state, import_reason, import_percent, import_generation, import_observed_generation, gone_at is not null as gone, cluster_uid
       from vm_template where id = '${id}'`,
  )
  const operations = await database.sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const volume = (await cluster.call(volumePath(context, id))).body.metadata
  return {
    ...template,
    cluster_uid: template?.cluster_uid !== null,
    // An answer that is no object has no uid.
    volume: volume.uid ? volume.uid === template?.cluster_uid : null,
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: (steps as Json[]).map(({ name, state }) => `${name} ${state}`),
    })),
  }
}

const ended = async ({ world }: Context, kind: string, id: string): Promise<void> => {
  const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
  await waitFor(async () => (await world.database.sql(query)).length > 0, {
    timeoutMs: 20_000,
    everyMs: 30,
    what: `${kind} to end`,
  })
}

async function lifecycleOf(context: Context, id: string): Promise<unknown[]> {
  await ended(context, 'import_iso', id)
  const alive = await endState(context, id)
  await context.tenant.admin.ask(remove, { i: { id } })
  await ended(context, 'delete_vm_template', id)
  return [alive, await endState(context, id)]
}

const hurry = (world: World) => sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })

describe.concurrent('each step of a template’s operations', () => {
  let context: Context
  let scenarios: StepFaultScenarios
  let undisturbedId: string
  let expected: unknown[]
  beforeAll(async () => {
    const world = await aWorld()
    await hurry(world)
    context = { world, tenant: await world.tenant() }
    scenarios = new StepFaultScenarios()
    undisturbedId = await scenarios.begin([], () => begin(context))
    expected = await lifecycleOf(context, undisturbedId)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kindsHere))
    expect(expected).toMatchObject([
      { import_state: 'ready', import_percent: 100, volume: true, gone: false },
      { gone: true, volume: null },
    ])
  })

  test.each(stepFaultScenarios(kindsHere))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, () => begin(context))
      expect(await lifecycleOf(context, id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  const moments = allStepFailpoints(['import_iso']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(moments)(
    'a delete during a step ends the operation and leaves nothing: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is requested.
      const id = await scenarios.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], () =>
        begin(context),
      )
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await context.tenant.admin.ask(remove, { i: { id } })
      await ended(context, 'delete_vm_template', id)
      expect(await endState(context, id)).toMatchObject({ gone: true, volume: null })
      expect(
        await context.world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})

describe('a worker that is killed or paused at a step of an import', () => {
  let context: Context
  let workers: WorldWorkers
  beforeAll(async () => {
    const world = await aWorld({ worker: false })
    await hurry(world)
    workers = new WorldWorkers(world)
    void workers.start()
    context = { world, tenant: await world.tenant() }
    await workers.stop()
  })
  afterAll(() => workers.stop())

  test('a worker that is killed or paused leaves nothing unfinished, and an import continues in its volume', async () => {
    const volumeOf = async (id: string): Promise<string | null> =>
      (await context.world.cluster.call(volumePath(context, id))).body.metadata.uid ?? null
    const scenarios = await workerFaultScenarios(
      workers,
      { creation: 'import_iso', later: ['delete_vm_template'] },
      {
        begin: () => begin(context),
        ask: (_kind, id) => context.tenant.admin.ask(remove, { i: { id } }),
        read: volumeOf,
      },
    )
    const [alive, gone] = await lifecycleOf(context, await begin(context))
    for (const { kind, fault, id, left } of scenarios) {
      expect([fault, await endState(context, id)]).toEqual([
        fault,
        kind === 'import_iso' ? alive : gone,
      ])
      if (kind === 'import_iso' && left) expect([fault, await volumeOf(id)]).toEqual([fault, left])
    }
    expect(new Set(scenarios.map(({ fault }) => fault.at))).toEqual(
      new Set(allStepFailpoints(kindsHere)),
    )
    expect(scenarios.some(({ kind, left }) => kind === 'import_iso' && left)).toBe(true)
  }, 300_000)
})
