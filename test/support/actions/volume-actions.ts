import { type Json } from '../json.ts'
import { type Client } from '../clients/http-client.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'
import { waitFor } from '../wait-for.ts'

const fields = `id name sizeGi storageClass state bound vmId heldBy serial deleting version holder { id name } explanation { code whoCanFix }
  refusals { attach detach resize rename snapshot delete }`

const verb = (name: string): string =>
  `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!, $w: Int) { ${name}(input: $i, waitSeconds: $w) {
    volume { ${fields} } operation { id state fault { code } steps { name state } } } }`

const snapshotFields =
  'id name state volumeId volumeName sizeGi storageClass deleting explanation { code } refusals { restore }'
const snapshotVerb = (name: string): string =>
  `mutation ($i: ${name[0]?.toUpperCase()}${name.slice(1)}Input!, $w: Int) { ${name}(input: $i, waitSeconds: $w) {
    volumeSnapshot { ${snapshotFields} } operation { id state fault { code } steps { name state } } } }`

type SnapshotVerb = 'createVolumeSnapshot' | 'deleteVolumeSnapshot'
type Verb = 'createVolume' | 'updateVolume' | 'attachVolume' | 'detachVolume' | 'deleteVolume'

/** Actions of a tenant on volumes, and their state in the API and in the cluster. */
export class VolumeActions {
  readonly #world: World
  readonly #tenant: WorldTenant
  readonly #client: Client

  constructor(world: World, tenant: WorldTenant, client: Client = tenant.admin) {
    this.#world = world
    this.#tenant = tenant
    this.#client = client
  }

  /** Sends the mutation and by default waits until its operation has ended. */
  async ask(name: Verb, i: Json, waitSeconds = 20): Promise<Json> {
    return (await this.#client.ask(verb(name), { i, w: waitSeconds }))[name]
  }

  /** Returns the code of the refusal; null when the request was accepted. */
  async refusal(name: Verb, i: Json): Promise<string | null> {
    return (await this.#client.graphql(verb(name), { i })).code
  }

  async made(i: Json = {}): Promise<Json> {
    const input = { name: unique('vol'), sizeGi: 1, ...i }
    const { volume, operation } = await this.ask('createVolume', input, 60)
    if (operation.state !== 'succeeded')
      throw new Error(`create_volume is ${operation.state}: ${JSON.stringify(operation.fault)}`)
    return volume
  }

  async read(id: string): Promise<Json> {
    return (await this.#client.ask(`query ($id: ID!) { volume(id: $id) { ${fields} } }`, { id }))
      .volume
  }

  async inState(id: string, state: string): Promise<void> {
    await waitFor(async () => (await this.read(id))?.state === state, {
      timeoutMs: 20_000,
      what: `the volume to be ${state}`,
    })
  }

  async askSnapshot(name: SnapshotVerb, i: Json, waitSeconds = 20): Promise<Json> {
    return (await this.#client.ask(snapshotVerb(name), { i, w: waitSeconds }))[name]
  }

  async snapshotRefusal(
    name: SnapshotVerb,
    i: Json,
  ): Promise<{ code: string | null; text: string }> {
    return this.#client.graphql(snapshotVerb(name), { i })
  }

  async readSnapshot(id: string): Promise<Json> {
    return (
      await this.#client.ask(`query ($id: ID!) { volumeSnapshot(id: $id) { ${snapshotFields} } }`, {
        id,
      })
    ).volumeSnapshot
  }

  /** Creates a volume and waits until its PVC is bound. Only a bound volume can be snapshotted. */
  async bound(i: Json = {}): Promise<Json> {
    const { id } = await this.made(i)
    await waitFor(async () => (await this.read(id)).bound, {
      timeoutMs: 15_000,
      what: 'the volume to be bound',
    })
    return this.read(id)
  }

  snapshot(id: string): Promise<{ status: number; body: Json }> {
    return this.#world.cluster.call(
      `/apis/snapshot.storage.k8s.io/v1/namespaces/${this.#tenant.namespace}/volumesnapshots/snap-${id}`,
    )
  }

  async row(id: string): Promise<Json> {
    return (await this.#world.database.sql(`select * from volume where id = '${id}'`))[0]
  }

  claim(id: string): Promise<{ status: number; body: Json }> {
    return this.#world.cluster.call(
      `/api/v1/namespaces/${this.#tenant.namespace}/persistentvolumeclaims/vol-${id}`,
    )
  }

  dataVolume(id: string): Promise<{ status: number; body: Json }> {
    return this.#world.cluster.call(
      `/apis/cdi.kubevirt.io/v1beta1/namespaces/${this.#tenant.namespace}/datavolumes/vol-${id}`,
    )
  }

  /** The phase and the serial of the volume in the VMI; null where the VMI lacks it. */
  async inVmi(vmName: string, id: string): Promise<Json> {
    const path = `/apis/kubevirt.io/v1/namespaces/${this.#tenant.namespace}/virtualmachineinstances/${vmName}`
    const { status = {}, spec = {} }: Json = (await this.#world.cluster.call(path)).body
    const named = (each: Json): boolean => each.name === `vol-${id}`
    return {
      status: (status.volumeStatus ?? []).find(named)?.phase ?? null,
      serial: (spec.domain?.devices.disks ?? []).find(named)?.serial ?? null,
    }
  }
}
