import { type Json } from '../json.ts'
import { VmScenarios, stepsOf } from './vm-scenarios.ts'
import { VmSnapshotActions } from '../actions/vm-snapshot-actions.ts'
import { VolumeActions } from '../actions/volume-actions.ts'
import { make } from '../requests/request-fixtures.ts'
import { type World, unique } from '../world/world.ts'

/** VMs of one tenant, each with a volume of its own, their snapshots, and their final state. */
export class VmSnapshotScenarios {
  readonly #world: World
  readonly vms: VmScenarios
  readonly volumes: VolumeActions
  readonly snapshots: VmSnapshotActions

  private constructor(world: World, vms: VmScenarios) {
    this.#world = world
    this.vms = vms
    this.volumes = new VolumeActions(world, vms.tenant)
    this.snapshots = new VmSnapshotActions(world, vms.tenant)
  }

  static async in(world: World): Promise<VmSnapshotScenarios> {
    const vms = await VmScenarios.in(world)
    await make.volume({ world, tenant: vms.tenant })
    return new VmSnapshotScenarios(world, vms)
  }

  /** Creates a VM and a volume. By default the VM is stopped and the volume is attached. */
  async vmWithVolume({ isVolumeIn = true, start = false } = {}): Promise<{
    vmId: string
    volumeId: string
  }> {
    const { id: volumeId } = await this.volumes.bound()
    return {
      vmId: await this.vms.ready({ start, ...(isVolumeIn ? { dataVolumeId: volumeId } : {}) }),
      volumeId,
    }
  }

  async take(vmId: string): Promise<string> {
    return (await this.snapshots.ask('createVmSnapshot', { vmId, name: unique('life') }, 0))
      .vmSnapshot.id
  }

  /** The state of a snapshot without values that differ between runs, such as IDs. */
  async stateOfSnapshot(id: string): Promise<Json> {
    const [row] = await this.#world.database.sql(
      `select state, gone_at is not null as gone, cluster_uid as uid, consistency, disks from vm_snapshot where id = '${id}'`,
    )
    const { status, body } = await this.snapshots.object(id)
    const disks: Json[] = (row?.disks as Json[] | null) ?? []
    return {
      gone: row?.gone,
      state: row?.gone ? null : row?.state,
      consistency: row?.consistency,
      disks: disks.map(({ included, reason }) => ({ included, reason })),
      object: status === 200 ? body.metadata.uid === row?.uid : null,
      operations: await this.#operationsOn(id),
    }
  }

  /** The state of a VM and its volume. */
  async stateOfVm({ vmId, volumeId }: { vmId: string; volumeId: string }): Promise<Json> {
    const [row] = await this.#world.database.sql(
      `select state, wanted_power as power, restore_id is distinct from restored_id as restoring, applied_generation = generation as told
         from vm where id = '${vmId}'`,
    )
    const [volume] = await this.#world.database.sql(
      `select state, vm_id from volume where id = '${volumeId}'`,
    )
    const claim = (await this.volumes.claim(volumeId)).body
    return {
      ...row,
      volume: { state: volume?.state, isIn: volume?.vm_id === vmId },
      isRestored: claim.metadata?.annotations?.['restore.kubevirt.io/name'] !== undefined,
      operations: await this.#operationsOn(vmId),
    }
  }

  async #operationsOn(id: string): Promise<Json[]> {
    const operations = await this.#world.database.sql(
      `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
    )
    return operations.map(({ steps, ...operation }) => ({ ...operation, steps: stepsOf(steps) }))
  }
}
