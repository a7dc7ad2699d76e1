import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import { type Json } from '../json.ts'
import { VmScenarios, stepsOf } from './vm-scenarios.ts'
import { VolumeActions } from '../actions/volume-actions.ts'
import { waitFor } from '../wait-for.ts'
import { make } from '../requests/request-fixtures.ts'
import { type World, unique } from '../world/world.ts'

/** The kinds of operations in the order of a whole life cycle. */
export const volumeKinds = [
  'create_volume',
  'resize_volume',
  'attach_volume',
  'detach_volume',
  'delete_volume',
] as const satisfies readonly OperationKind[]

/** Volumes of one tenant in a fast sandbox, the VM they are attached to, and their final state. */
export class VolumeScenarios {
  readonly #world: World
  readonly vms: VmScenarios
  readonly volumes: VolumeActions
  readonly vmId: string

  private constructor(world: World, { vms, vmId }: { vms: VmScenarios; vmId: string }) {
    this.#world = world
    this.vms = vms
    this.vmId = vmId
    this.volumes = new VolumeActions(world, vms.tenant)
  }

  static async in(world: World): Promise<VolumeScenarios> {
    const vms = await VmScenarios.in(world)
    const vmId = await vms.ready()
    await make.volume({ world, tenant: vms.tenant })
    return new VolumeScenarios(world, { vms, vmId })
  }

  readonly begin = async (): Promise<string> =>
    (await this.volumes.ask('createVolume', { name: unique('life'), sizeGi: 1 }, 0)).volume.id

  /** Requests the operation. Does nothing for `create_volume`, which `begin` has requested. */
  readonly ask = async (kind: OperationKind, id: string): Promise<void> => {
    if (kind === 'resize_volume') {
      await this.isBound(id)
      await this.volumes.ask('updateVolume', { id, sizeGi: 2 }, 0)
    }
    if (kind === 'attach_volume') await this.volumes.ask('attachVolume', { id, vmId: this.vmId }, 0)
    if (kind === 'detach_volume') await this.volumes.ask('detachVolume', { id }, 0)
    if (kind === 'delete_volume') await this.volumes.ask('deleteVolume', { id }, 0)
  }

  isBound(id: string): Promise<void> {
    return waitFor(async () => (await this.volumes.row(id)).bound, {
      timeoutMs: 15_000,
      what: 'the volume to be bound',
    })
  }

  async ended(kind: OperationKind, id: string): Promise<void> {
    const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
    const isEnded = async (): Promise<boolean> => (await this.#world.database.sql(query)).length > 0
    await waitFor(isEnded, { timeoutMs: 30_000, everyMs: 50, what: `${kind} to end` })
  }

  unfinished(id: string): Promise<unknown[]> {
    return this.#world.database.sql(
      `select kind from operation where target_id = '${id}' and finished_at is null`,
    )
  }

  /** The state of the volume without values that differ between runs, such as IDs. */
  async left(id: string): Promise<Json> {
    const row = await this.volumes.row(id)
    const operations = await this.#world.database.sql(
      `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
    )
    const [claim, filling] = await Promise.all([
      this.volumes.claim(id),
      this.volumes.dataVolume(id),
    ])
    return {
      gone: row.gone_at !== null,
      sizeGi: row.size_gi,
      grownGi: row.grown_gi,
      in: row.vm_id === this.vmId,
      held: row.held_by === this.vmId,
      claim: claim.status,
      volume: filling.status === 200 ? filling.body.metadata.uid === row.cluster_uid : null,
      operations: operations.map(({ steps, ...operation }) => ({
        ...operation,
        steps: stepsOf(steps),
      })),
    }
  }

  /** Runs all kinds of operations in order, and returns the state after each. */
  async whole(id: string): Promise<Json[]> {
    const states = []
    for (const kind of volumeKinds) {
      await this.ask(kind, id)
      await this.ended(kind, id)
      states.push(await this.left(id))
    }
    return states
  }
}
