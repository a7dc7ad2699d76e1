import { type Json } from './json.ts'
import { sandboxFaults } from './sandbox-faults.ts'
import { waitFor } from './wait-for.ts'
import { type World, type WorldTenant, aWorld, unique } from './world.ts'

const create = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
const verbs = {
  start_vm: 'startVm',
  stop_vm: 'stopVm',
  restart_vm: 'restartVm',
  pause_vm: 'pauseVm',
  resume_vm: 'resumeVm',
  resize_vm: 'updateVm',
  delete_vm: 'deleteVm',
} as const
export type VerbKind = keyof typeof verbs

const lists = { virtualmachines: '/apis/kubevirt.io/v1', datavolumes: '/apis/cdi.kubevirt.io/v1beta1', secrets: '/api/v1' }

/** The lives of VMs of one tenant in a world whose cluster hurries, and what is left of each life. */
export class VmLives {
  readonly world: World
  readonly tenant: WorldTenant
  readonly #templateId: string

  private constructor(world: World, tenant: WorldTenant, templateId: string) {
    this.world = world
    this.tenant = tenant
    this.#templateId = templateId
  }

  static async atPace(factor: number): Promise<VmLives> {
    const world = await aWorld()
    await sandboxFaults(world.cluster).order('pace', { factor })
    const tenant = await world.tenant()
    const { vmTemplates } = await tenant.admin.ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')
    return new VmLives(world, tenant, vmTemplates.nodes[0].id)
  }

  async begin(input: Record<string, unknown> = {}): Promise<string> {
    const i = { name: unique('steps'), templateId: this.#templateId, ...input }
    return (await this.tenant.admin.ask(create, { i })).createVm.vm.id
  }

  async ask(kind: VerbKind, id: string, input: Record<string, unknown> = {}): Promise<Json> {
    const verb = verbs[kind]
    const document = `mutation ($i: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!) { ${verb}(input: $i) { vm { id } operation { id } } }`
    return (await this.tenant.admin.ask(document, { i: { id, ...input } }))[verb]
  }

  async ended(kind: string, id: string): Promise<void> {
    const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
    await this.#until(query, `${kind} to end`)
  }

  /** The operation with the id, once it has ended. */
  async end(operation: string): Promise<Json> {
    const query = `select * from operation where id = '${operation}' and finished_at is not null`
    await this.#until(query, 'the operation to end')
    return (await this.world.database.sql(query))[0]
  }

  async #until(query: string, what: string): Promise<void> {
    await waitFor(async () => (await this.world.database.sql(query)).length > 0, { timeoutMs: 20_000, everyMs: 30, what })
  }

  /** The row of the VM. */
  async row(id: string): Promise<Json> {
    return (await this.world.database.sql(`select * from vm where id = '${id}'`))[0]
  }

  /** What runs of it, as the cluster has it. */
  async instance(id: string): Promise<Json> {
    const place = `namespaces/${this.tenant.namespace}/virtualmachineinstances/${(await this.row(id)).name}`
    return (await this.world.cluster.call(`/apis/kubevirt.io/v1/${place}`)).body
  }

  async endState(id: string): Promise<unknown> {
    const vm = await this.row(id)
    const operations = await this.world.database.sql(
      `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
    )
    const objects = await this.objectsOf(id)
    return {
      ...{ state: vm.gone_at ? null : vm.state, power: vm.wanted_power, gone: vm.gone_at !== null },
      // The identity is kept of what is there, and there is one of each.
      objects: objects.map(({ kind, uid }) => [kind, kind !== 'virtualmachines' || uid === vm.cluster_uid]),
      operations: operations.map(({ steps, ...operation }) => ({ ...operation, steps: stepsOf(steps) })),
    }
  }

  async objectsOf(id: string): Promise<{ kind: string; uid: string }[]> {
    const found = await Promise.all(
      Object.entries(lists).map(async ([kind, root]) => {
        const place = `${root}/namespaces/${this.tenant.namespace}/${kind}`
        const { body } = await this.world.cluster.call(`${place}?labelSelector=berth.dev/row-id=${id}`)
        return body.items.map(({ metadata }) => ({ kind, uid: metadata.uid }))
      }),
    )
    return found.flat()
  }
}

/** The steps of an operation as its row keeps them, without their times. */
export const stepsOf = (steps: unknown): string[] => (steps as Json[]).map(({ name, state }) => `${name} ${state}`)
