import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allStepFailpoints } from '../../../server/src/domain/operation/kind.ts'
import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../../support/json.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import {
  StepFaultScenarios,
  stepFaultScenarios,
  pointsOf,
} from '../../support/scenarios/step-fault-scenarios.ts'
import { stepsOf } from '../../support/scenarios/vm-scenarios.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { waitFor } from '../../support/wait-for.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, type WorldTenant, aWorld, unique } from '../../support/world/world.ts'

const kindsHere = [
  'create_volume_snapshot',
  'delete_volume_snapshot',
] as const satisfies readonly OperationKind[]

let world: World
let tenant: WorldTenant
let volumes: VolumeActions
let volumeId: string
beforeAll(async () => {
  world = await aWorld()
  await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
  tenant = await world.tenant()
  volumes = new VolumeActions(world, tenant)
  await make.volume({ world, tenant })
  volumeId = (await volumes.bound()).id
})

const begin = async (): Promise<string> =>
  (await volumes.askSnapshot('createVolumeSnapshot', { volumeId, name: unique('life') }, 0))
    .volumeSnapshot.id
const remove = (id: string): Promise<Json> => volumes.askSnapshot('deleteVolumeSnapshot', { id }, 0)

/** Returns the final state of a snapshot, without values that differ between runs. */
async function endState(id: string): Promise<Json> {
  const { sql } = world.database
  const [row] = await sql(
    `select state, gone_at is not null as gone, cluster_uid from volume_snapshot where id = '${id}'`,
  )
  const operations = await sql(
    `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
  )
  const { status, body } = await volumes.snapshot(id)
  return {
    state: row?.gone ? null : row?.state,
    gone: row?.gone,
    object: status === 200 ? body.metadata.uid === row?.cluster_uid : null,
    operations: operations.map(({ steps, ...operation }) => ({
      ...operation,
      steps: stepsOf(steps),
    })),
  }
}

async function lifecycleOf(id: string): Promise<Json[]> {
  await world.ended('create_volume_snapshot', id)
  const alive = await endState(id)
  await remove(id)
  await world.ended('delete_volume_snapshot', id)
  return [alive, await endState(id)]
}

describe.concurrent('each step of a snapshot’s operations', () => {
  let scenarios: StepFaultScenarios
  let undisturbedId: string
  let expected: Json[]
  beforeAll(async () => {
    scenarios = new StepFaultScenarios()
    undisturbedId = await scenarios.begin([], begin)
    expected = await lifecycleOf(undisturbedId)
  })
  afterAll(() => scenarios[Symbol.dispose]())

  test('each step has a failpoint before and after it, named as in the registry', async () => {
    // The last failpoint is passed a moment after the commit that ends the operation.
    await expect
      .poll(() => [...new Set(scenarios.arrivalsOf(undisturbedId))].sort(), { timeout: 15_000 })
      .toEqual(pointsOf(kindsHere))
    expect(expected).toMatchObject([
      { state: 'ready', gone: false, object: true, operations: [{ state: 'succeeded' }] },
      { gone: true, object: null, operations: [{ state: 'succeeded' }, { state: 'succeeded' }] },
    ])
  })

  test.each(stepFaultScenarios(kindsHere))(
    'a step with faults ends like one without: $title',
    async ({ faults }) => {
      const id = await scenarios.begin(faults, begin)
      expect(await lifecycleOf(id)).toEqual(expected)
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  test.each(stepFaultScenarios(['create_volume']))(
    'a volume that is created from a snapshot is ready despite faults: $title',
    async ({ faults }) => {
      const snapshotId = await scenarios.begin([], begin)
      await world.ended('create_volume_snapshot', snapshotId)
      const id = await scenarios.begin(
        faults,
        async () =>
          (await volumes.ask('createVolume', { name: unique('made'), snapshotId }, 0)).volume.id,
      )
      expect(await world.ended('create_volume', id)).toMatchObject({
        state: 'succeeded',
        progress: 100,
        fault_code: null,
      })
      const [claim, filling, row] = await Promise.all([
        volumes.claim(id),
        volumes.dataVolume(id),
        volumes.row(id),
      ])
      expect([claim.status, filling.body.metadata.uid]).toEqual([200, row.cluster_uid])
      expect(faults.filter((fault) => !scenarios.isMet(id, fault))).toEqual([])
    },
  )

  const moments = allStepFailpoints(['create_volume_snapshot']).flatMap((at) =>
    (['before', 'after'] as const).map((where) => ({ at, where })),
  )
  test.each(moments)(
    'a delete during a step ends the operation and leaves nothing: $where $at',
    async ({ at, where }) => {
      // The step waits while the delete is requested.
      const id = await scenarios.begin([{ at, where, do: 'delay', delayMs: 150, nth: 1 }], begin)
      await waitFor(() => scenarios.arrivalsOf(id).includes(`${at} ${where}`), {
        timeoutMs: 15_000,
        what: `${where} ${at}`,
      })
      await remove(id)
      await world.ended('delete_volume_snapshot', id)
      expect(await endState(id)).toMatchObject({ gone: true, object: null })
      expect(
        await world.database.sql(
          `select 1 from operation where target_id = '${id}' and finished_at is null`,
        ),
      ).toEqual([])
    },
  )
})
