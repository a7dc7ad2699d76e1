import { type Json } from '../json.ts'
import { type Client } from '../clients/http-client.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'

const fields = `id name state origin vmId vmName coverage consistency takenAt deleting cpu memoryMi explanation { code } refusals { use }
  disks { name volumeId sizeGi included reason }`
const operation = 'operation { id state fault { code message } steps { name state } }'

const verb = (name: string, shown: string): string =>
  `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!, $w: Int) { ${name}(input: $i, waitSeconds: $w) { ${shown} ${operation} } }`

const verbs = {
  createVmSnapshot: verb('createVmSnapshot', `vmSnapshot { ${fields} }`),
  deleteVmSnapshot: verb('deleteVmSnapshot', `vmSnapshot { ${fields} }`),
  cloneVmSnapshot: verb('cloneVmSnapshot', 'vm { id name state mac }'),
  restoreVm: verb('restoreVm', `vm { id state busyWith } safetySnapshot { ${fields} }`),
} as const
type Verb = keyof typeof verbs

/** Actions of a tenant on VM snapshots, and their state in the API and in the cluster. */
export class VmSnapshotActions {
  readonly #world: World
  readonly #tenant: WorldTenant
  readonly #client: Client

  constructor(world: World, tenant: WorldTenant, client: Client = tenant.admin) {
    this.#world = world
    this.#tenant = tenant
    this.#client = client
  }

  /** Sends the mutation and by default waits until its operation has ended. */
  async ask(name: Verb, i: Json, waitSeconds = 30): Promise<Json> {
    return (await this.#client.ask(verbs[name], { i, w: waitSeconds }))[name]
  }

  /** Returns the refusal. Its code is null when the request was accepted. */
  async refusal(name: Verb, i: Json): Promise<{ code: string | null; text: string }> {
    return this.#client.graphql(verbs[name], { i })
  }

  async taken(vmId: string, i: Json = {}): Promise<Json> {
    const { vmSnapshot, operation: ended } = await this.ask('createVmSnapshot', {
      vmId,
      name: unique('snap'),
      ...i,
    })
    if (ended.state !== 'succeeded')
      throw new Error(`create_vm_snapshot is ${ended.state}: ${JSON.stringify(ended.fault)}`)
    return vmSnapshot
  }

  async restored(vmId: string, snapshotId: string, i: Json = {}): Promise<Json> {
    const answer = await this.ask('restoreVm', { vmId, snapshotId, ...i })
    if (answer.operation.state !== 'succeeded')
      throw new Error(`restore_vm is ${JSON.stringify(answer.operation)}`)
    return answer
  }

  async read(id: string): Promise<Json> {
    return (
      await this.#client.ask(`query ($id: ID!) { vmSnapshot(id: $id) { ${fields} } }`, { id })
    ).vmSnapshot
  }

  /** The VirtualMachineSnapshot in the cluster. */
  object(id: string): Promise<{ status: number; body: Json }> {
    return this.#world.cluster.call(
      `${this.#collection('snapshot.kubevirt.io/v1beta1')}/virtualmachinesnapshots/vmsnap-${id}`,
    )
  }

  restore(vmId: string): Promise<{ status: number; body: Json }> {
    return this.#world.cluster.call(
      `${this.#collection('snapshot.kubevirt.io/v1beta1')}/virtualmachinerestores/vm-${vmId}-restore`,
    )
  }

  /** Counts the tenant's VolumeSnapshots and VirtualMachineSnapshotContents in the cluster. */
  async countInCluster(): Promise<{ copies: number; contents: number }> {
    const copies: Json = (
      await this.#world.cluster.call(
        `${this.#collection('snapshot.storage.k8s.io/v1')}/volumesnapshots`,
      )
    ).body
    const contents: Json = (
      await this.#world.cluster.call(
        `${this.#collection('snapshot.kubevirt.io/v1beta1')}/virtualmachinesnapshotcontents`,
      )
    ).body
    return { copies: copies.items.length, contents: contents.items.length }
  }

  #collection(group: string): string {
    return `/apis/${group}/namespaces/${this.#tenant.namespace}`
  }
}
