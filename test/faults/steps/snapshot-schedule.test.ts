import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  scheduleFailpoint,
  scheduleSteps,
} from '../../../server/src/domain/snapshot-schedule/steps.ts'
import { type FailpointRule, planFailpoints } from '../../../server/src/runtime/failpoint.ts'
import { type Json } from '../../support/json.ts'
import { anotherReplica } from '../../support/world/replica.ts'
import { sandboxFaults } from '../../support/sandbox/faults.ts'
import { ScheduleActions } from '../../support/actions/schedule-actions.ts'
import { WorldWorkers, workerFaultsAt } from '../../support/scenarios/worker-fault-scenarios.ts'
import { VolumeActions } from '../../support/actions/volume-actions.ts'
import { make } from '../../support/requests/request-fixtures.ts'
import { type World, aWorld } from '../../support/world/world.ts'

/** Schedules of one volume and the results of their runs. */
class ScheduleFixtures {
  readonly #world: World
  readonly #volumeId: string
  readonly schedules: ScheduleActions

  private constructor(world: World, schedules: ScheduleActions, volumeId: string) {
    this.#world = world
    this.schedules = schedules
    this.#volumeId = volumeId
  }

  static async in(world: World): Promise<ScheduleFixtures> {
    await sandboxFaults(world.cluster).inject('pace', { factor: 0.1 })
    const tenant = await world.tenant()
    await make.volume({ world, tenant })
    const { id } = await new VolumeActions(world, tenant).bound()
    return new ScheduleFixtures(world, new ScheduleActions(world, tenant), id)
  }

  async made(): Promise<string> {
    return (await this.schedules.made({ volumeId: this.#volumeId, keep: 1 })).id
  }

  /** Returns the result of the schedule's only run, once that is over. */
  async run(id: string): Promise<Json> {
    const { state, failuresInRow, lastFailure } = await this.schedules.hasRun(id, {
      lastRunAt: null,
    })
    const snapshots = await this.#world.database.sql(
      `select state from volume_snapshot where schedule_id = '${id}'`,
    )
    return { state, failuresInRow, lastFailure, snapshots }
  }
}

const oneGoodRun = {
  state: 'active',
  failuresInRow: 0,
  lastFailure: null,
  snapshots: [{ state: 'ready' }],
}
const points = scheduleSteps.map(scheduleFailpoint)

describe('a run of a schedule', () => {
  let fixtures: ScheduleFixtures
  let world: World
  beforeAll(async () => {
    world = await aWorld()
    await anotherReplica(world, { worker: true })
    fixtures = await ScheduleFixtures.in(world)
  })
  afterEach(() => planFailpoints(null))

  test('a schedule run with a fault at a step ends like one without', async () => {
    const faults = points.flatMap((at): Omit<FailpointRule, 'of'>[] => [
      { at, where: 'before', do: 'error', nth: 1 },
      { at, where: 'after', do: 'error', nth: 1 },
      { at, where: 'before', do: 'repeat' },
    ])
    const runs = await Promise.all(
      faults.map(async (fault) => ({ fault, id: await fixtures.made() })),
    )
    const met = new Set<string>()
    planFailpoints({
      rules: runs.map(({ fault, id }) => ({ ...fault, of: id })),
      onArrival: (name, where, id) => void met.add(`${id} ${name} ${where}`),
    })
    await Promise.all(runs.map(({ id }) => fixtures.schedules.missed(id, 3)))
    for (const { fault, id } of runs) {
      expect([fault, await fixtures.run(id)]).toEqual([fault, oneGoodRun])
      expect(met).toContain(`${id} ${fault.at} ${fault.where}`)
    }
  })

  test('a schedule run that two workers attempt, or that one takes over, creates one snapshot', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, () => fixtures.made()))
    const arrivals = new Map<string, number>()
    // Half of the schedules lose their lease when the first worker is about to take the snapshot.
    // The other half is left to the two workers alone.
    const losing = ids.slice(2)
    planFailpoints({
      rules: losing.map((of) => ({ at: scheduleFailpoint('take'), of, do: 'delay', delayMs: 100 })),
      onArrival: async (name, where, id) => {
        if (name !== scheduleFailpoint('take') || where !== 'before') return
        arrivals.set(id, (arrivals.get(id) ?? 0) + 1)
        if (!losing.includes(id) || arrivals.get(id) !== 1) return
        await world.database.sql(
          `update work set lease_until = now() - interval '1 second' where object_id = '${id}'`,
        )
      },
    })
    await Promise.all(ids.map((id) => fixtures.schedules.missed(id, 3)))
    for (const id of ids) expect([id, await fixtures.run(id)]).toEqual([id, oneGoodRun])
    for (const id of losing) expect(arrivals.get(id)).toBeGreaterThan(1)
  })
})

describe('a worker that is killed or paused at a step of a run', () => {
  let workers: WorldWorkers
  let fixtures: ScheduleFixtures
  beforeAll(async () => {
    const world = await aWorld({ worker: false })
    workers = new WorldWorkers(world)
    void workers.start()
    fixtures = await ScheduleFixtures.in(world)
    await workers.stop()
  })
  afterAll(() => workers.stop())

  test('a worker that is killed or paused at a step leaves nothing unfinished, and nothing happens twice', async () => {
    const runs = []
    for (const fault of points.flatMap(workerFaultsAt)) {
      const id = await fixtures.made()
      await fixtures.schedules.missed(id, 3)
      await workers.inject(fault, id)
      runs.push({ fault, id })
    }
    void workers.start()
    for (const { fault, id } of runs)
      expect([fault, await fixtures.run(id)]).toEqual([fault, oneGoodRun])
    await workers.idle()
    await workers.resume()
    for (const { fault, id } of runs)
      expect([fault, await fixtures.run(id)]).toEqual([fault, oneGoodRun])
  }, 300_000)
})
