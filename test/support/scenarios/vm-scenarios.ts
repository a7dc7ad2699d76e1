import { type OperationKind } from '../../../server/src/domain/nouns.ts'
import {
  ruleOf,
  powerVerbNames,
  vmiCommands as commandVerbs,
  powerOperationKindFor,
} from '../../../server/src/domain/vm/power-verbs.ts'
import { type Json } from '../json.ts'
import { sandboxFaults } from '../sandbox/faults.ts'
import { waitFor } from '../wait-for.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'

/** The kinds of operations in the order of a whole life cycle. */
export const vmKinds = [
  'deploy_vm',
  'stop_vm',
  'start_vm',
  'delete_vm',
] as const satisfies readonly OperationKind[]

const verbs: Partial<Record<OperationKind, string>> = {
  ...Object.fromEntries(powerVerbNames.map((verb) => [powerOperationKindFor(verb), `${verb}Vm`])),
  resize_vm: 'updateVm',
  eject_vm_iso: 'ejectVmIso',
  resolve_vm_drift: 'revertVmDrift',
  delete_vm: 'deleteVm',
  expose_vm_ssh: 'exposeVmSsh',
  unexpose_vm_ssh: 'unexposeVmSsh',
}

/** Each verb that is a command to a VMI: the required state, and the end of its operation. */
export const vmiCommands = commandVerbs.map((verb) => {
  const { allowedIn, achievedIn, order, operation } = ruleOf(verb)
  return {
    kind: powerOperationKindFor(verb),
    from: allowedIn[0],
    ends: { steps: operation.steps.map((step) => `${step} done`), vm: achievedIn },
    starts: order?.endsIn === 'next' ? 1 : 0,
  }
})

const ubuntu = async ({ admin }: WorldTenant): Promise<Json> =>
  (await admin.ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')).vmTemplates
    .nodes[0]

/** VMs of one tenant in a fast sandbox, and their final state. */
export class VmScenarios {
  readonly #world: World
  readonly #tenant: WorldTenant
  readonly #templateId: string

  private constructor(world: World, tenant: WorldTenant, templateId: string) {
    this.#world = world
    this.#tenant = tenant
    this.#templateId = templateId
  }

  get namespace(): string {
    return this.#tenant.namespace
  }

  get tenant(): WorldTenant {
    return this.#tenant
  }

  /** Creates the tenant. The VMs use a template of the platform by default. */
  static async in(world: World, { pace = 0.1, templateOf = ubuntu } = {}): Promise<VmScenarios> {
    await sandboxFaults(world.cluster).inject('pace', { factor: pace })
    const tenant = await world.tenant()
    return new VmScenarios(world, tenant, (await templateOf(tenant)).id)
  }

  readonly begin = (more: Record<string, unknown> = {}): Promise<string> => this.#create(more)

  async #create(more: Record<string, unknown> = {}): Promise<string> {
    const document = 'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id } } }'
    const input = { name: unique('life'), templateId: this.#templateId, memoryMi: 256, ...more }
    return (await this.#tenant.admin.ask(document, { i: input })).createVm.vm.id
  }

  /** Creates a VM, by default a running one, and waits until it is deployed. */
  async ready(more: Record<string, unknown> = {}): Promise<string> {
    const id = await this.#create({ rootDisk: 'ephemeral', ...more })
    await this.ended('deploy_vm', id)
    return id
  }

  /** Requests the operation. Returns the IDs of the VM and of the operation. */
  readonly ask = async (
    kind: OperationKind,
    id: string,
    more: Record<string, unknown> = {},
  ): Promise<Json> => {
    const verb = verbs[kind] ?? ''
    const document = `mutation ($i: ${verb[0]?.toUpperCase()}${verb.slice(1)}Input!) { ${verb}(input: $i) { vm { id } operation { id } } }`
    return (await this.#tenant.admin.ask(document, { i: { id, ...more } }))[verb]
  }

  /** Attaches the VM to the tenant's first network, or detaches it. */
  readonly rewire = async (kind: OperationKind, vmId: string): Promise<Json> => {
    const { admin } = this.#tenant
    const [network] = (await admin.ask('{ networks(first: 1) { nodes { id } } }')).networks.nodes
    const verb = kind === 'attach_network' ? 'attachNetwork' : 'detachNetwork'
    const document = `mutation ($i: ${verb === 'attachNetwork' ? 'Attach' : 'Detach'}NetworkInput!) { ${verb}(input: $i) { operation { id } } }`
    return (await admin.ask(document, { i: { vmId, networkId: network.id } }))[verb]
  }

  /** Waits until the operation has ended, and returns its row. */
  async end(operation: string): Promise<Json> {
    const query = `select * from operation where id = '${operation}' and finished_at is not null`
    let found: Json
    const isEnded = async (): Promise<boolean> =>
      Boolean(([found] = await this.#world.database.sql(query))[0])
    await waitFor(isEnded, { timeoutMs: 20_000, everyMs: 30, what: 'the operation to end' })
    return found
  }

  async row(id: string): Promise<Json> {
    return (await this.#world.database.sql(`select * from vm where id = '${id}'`))[0]
  }

  /** The VMI of the VM in the cluster. */
  async vmi(id: string): Promise<Json> {
    const path = `namespaces/${this.#tenant.namespace}/virtualmachineinstances/${(await this.row(id)).name}`
    return (await this.#world.cluster.call(`/apis/kubevirt.io/v1/${path}`)).body
  }

  /** The spec in the template of the VirtualMachine. */
  async vmSpec(id: string): Promise<Json> {
    const path = `namespaces/${this.#tenant.namespace}/virtualmachines/${(await this.row(id)).name}`
    const vmSpec: Json = (await this.#world.cluster.call(`/apis/kubevirt.io/v1/${path}`)).body
    return vmSpec.spec?.template.spec
  }

  /** Changes the VM object as another client would, and waits until Berth has noticed it. */
  async changeOutside(id: string): Promise<void> {
    const path = `namespaces/${this.#tenant.namespace}/virtualmachines/${(await this.row(id)).name}`
    const { status, text } = await this.#world.cluster.call(`/apis/kubevirt.io/v1/${path}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { template: { spec: { terminationGracePeriodSeconds: 30 } } } },
    })
    if (status !== 200) throw new Error(text)
    await waitFor(async () => (await this.row(id)).drift !== null, {
      timeoutMs: 20_000,
      what: 'Berth to notice the change',
    })
  }

  /** The number of starts, counted from the events of created VMIs. */
  async starts(id: string): Promise<number> {
    const { name } = await this.row(id)
    const { body } = await this.#world.cluster.call(
      `/api/v1/namespaces/${this.#tenant.namespace}/events`,
    )
    return body.items
      .filter(
        ({ involvedObject, reason }: Json) =>
          involvedObject.name === name && reason === 'SuccessfulCreate',
      )
      .filter(({ involvedObject }: Json) => involvedObject.kind === 'VirtualMachine')
      .reduce((sum: number, { count }: Json) => sum + Number(count ?? 1), 0)
  }

  async ended(kind: OperationKind, id: string): Promise<void> {
    const query = `select 1 from operation where kind = '${kind}' and target_id = '${id}' and finished_at is not null`
    const isEnded = async (): Promise<boolean> => (await this.#world.database.sql(query)).length > 0
    await waitFor(isEnded, { timeoutMs: 20_000, everyMs: 50, what: `${kind} to end` })
  }

  /** Runs the operations in order, and returns the state after each. */
  async whole(id: string, kinds: readonly OperationKind[] = vmKinds): Promise<unknown[]> {
    const states = []
    for (const kind of kinds) {
      if (kind !== 'deploy_vm') await this.ask(kind, id)
      await this.ended(kind, id)
      states.push(await this.left(id))
    }
    return states
  }

  /** The state of the VM without values that differ between runs, such as IDs. */
  async left(id: string): Promise<{
    vm: object
    objects: (readonly [kind: string, isKept: boolean])[]
    operations: unknown[]
  }> {
    const { sql } = this.#world.database
    const [vm] = await sql(
      `select state, wanted_power, cluster_uid, gone_at is not null as gone from vm where id = '${id}'`,
    )
    const operations = await sql(
      `select kind, state, progress, fault_code, steps from operation where target_id = '${id}' order by created_at`,
    )
    const objects = await this.#objectsOf(id)
    return {
      vm: {
        state: vm?.['gone'] ? null : vm?.['state'],
        power: vm?.['wanted_power'],
        gone: vm?.['gone'],
      },
      // The row has the UID of the VirtualMachine, and each object exists once.
      objects: objects.map(({ kind, uid }) => [
        kind,
        kind !== 'virtualmachines' || uid === vm?.['cluster_uid'],
      ]),
      operations: operations.map(({ steps, ...operation }) => ({
        ...operation,
        steps: stepsOf(steps),
      })),
    }
  }

  async #objectsOf(id: string): Promise<{ kind: string; uid: string }[]> {
    const lists = {
      virtualmachines: '/apis/kubevirt.io/v1',
      datavolumes: '/apis/cdi.kubevirt.io/v1beta1',
      secrets: '/api/v1',
      networkpolicies: '/apis/networking.k8s.io/v1',
      services: '/api/v1',
      endpointslices: '/apis/discovery.k8s.io/v1',
    }
    const found = await Promise.all(
      Object.entries(lists).map(async ([kind, root]) => {
        const path = `${root}/namespaces/${this.#tenant.namespace}/${kind}?labelSelector=berth.dev/row-id=${id}`
        return (await this.#world.cluster.call(path)).body.items.map(({ metadata }) => ({
          kind,
          uid: metadata.uid,
        }))
      }),
    )
    return found.flat()
  }
}

/** The steps in the row of an operation, without their times. */
export const stepsOf = (steps: unknown): string[] =>
  (steps as Json[]).map(({ name, state }) => `${name} ${state}`)
