import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type Client } from '../clients/http-client.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'

const fields = `id name volumeId vmId targetName cron timeZone keep acceptMissing ownerName state nextRunAt lastDueAt lastRunAt lastSnapshotId
  failuresInRow lastFailure { code message at } explanation { code summary whoCanFix } refusals { pause resume update delete } version`

const verb = (name: string): string =>
  `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $i) { snapshotSchedule { ${fields} } } }`

type Verb = `${'create' | 'update' | 'pause' | 'resume' | 'delete'}SnapshotSchedule`

/** Actions of a tenant on snapshot schedules, and helpers that let time pass for a schedule. */
export class ScheduleActions {
  readonly #world: World
  readonly #client: Client

  constructor(world: World, tenant: WorldTenant, client: Client = tenant.admin) {
    this.#world = world
    this.#client = client
  }

  async ask(name: Verb, i: Json): Promise<Json> {
    return (await this.#client.ask(verb(name), { i }))[name].snapshotSchedule
  }

  /** Returns the refusal. Its code is null when the request was accepted. */
  refusal(name: Verb, i: Json): Promise<{ code: string | null; text: string }> {
    return this.#client.graphql(verb(name), { i })
  }

  /** Creates a schedule, by default an hourly one. */
  async made(i: Json): Promise<Json> {
    return this.ask('createSnapshotSchedule', {
      name: unique('plan'),
      cron: '0 * * * *',
      keep: 2,
      ...i,
    })
  }

  async read(id: string): Promise<Json> {
    return (
      await this.#client.ask(`query ($id: ID!) { snapshotSchedule(id: $id) { ${fields} } }`, { id })
    ).snapshotSchedule
  }

  /** Sets the schedule back, as if no worker had run for this many hours. */
  async missed(id: string, hours: number): Promise<void> {
    const then = `now() - interval '${hours} hours'`
    await this.#world.database.sql(
      `update snapshot_schedule set timed_at = ${then}, resumed_at = ${then}, counted_until = least(counted_until, ${then}),
         stopped_at = least(stopped_at, ${then} - interval '1 second'),
         last_failure = jsonb_set(last_failure, '{at}', to_jsonb(${then} + interval '1 second')) where id = '${id}'`,
    )
    const { keep } = await this.read(id)
    await this.ask('updateSnapshotSchedule', { id, keep })
  }

  /** Waits until the schedule has run and the snapshot of that run is finished. */
  async hasRun(id: string, before: { lastRunAt: string | null }): Promise<Json> {
    const run = `not is_running and last_run_at is distinct from ${before.lastRunAt === null ? 'null' : `'${before.lastRunAt}'`}`
    const isOver = async (): Promise<boolean> =>
      (
        await this.#world.database.sql(
          `select from snapshot_schedule where id = '${id}' and ${run}`,
        )
      ).length === 1
    await waitFor(isOver, { timeoutMs: 20_000, what: 'the schedule to have run' })
    return this.read(id)
  }

  /** Sets the schedule back by this many hours and waits until it has run. */
  async ran(id: string, hours: number): Promise<Json> {
    const before = await this.read(id)
    await this.missed(id, hours)
    return this.hasRun(id, before)
  }

  /** The snapshots of the schedule that are not being deleted, oldest first. */
  async retained(
    id: string,
    of: 'volumeSnapshots' | 'vmSnapshots' = 'volumeSnapshots',
  ): Promise<Json[]> {
    const query = `{ ${of}(first: 50, orderBy: { by: createdAt }) { nodes { id name state deleting scheduleId } } }`
    const { nodes } = (await this.#client.ask(query))[of]
    return nodes.filter(({ scheduleId, deleting }: Json) => scheduleId === id && !deleting)
  }
}
