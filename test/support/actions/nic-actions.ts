import { type Json } from '../json.ts'
import { networkActs } from './network-actions.ts'
import { vmActs } from './vm-actions.ts'
import { waitFor } from '../wait-for.ts'
import { type Place } from '../requests/request-fixtures.ts'
import { type Client, type GraphAnswer } from '../clients/http-client.ts'
import { unique } from '../world/world.ts'

const nicFields = `id name kind state stateReason mac address seenAddress isPrimary networkId networkName gateway attachmentNamespace attachmentName
  network { id name cidr state }`

/** What a tenant does with VMs in networks, and what it and the cluster see of their NICs. */
export class NicActs {
  readonly #place: Place
  readonly #vms: Awaited<ReturnType<typeof vmActs>>
  readonly #templateId: string

  private constructor(place: Place, vms: Awaited<ReturnType<typeof vmActs>>, templateId: string) {
    this.#place = place
    this.#vms = vms
    this.#templateId = templateId
  }

  static async in(place: Place): Promise<NicActs> {
    const found = await place.tenant.admin.ask(
      '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }',
    )
    return new NicActs(place, await vmActs(place.tenant.admin), found.vmTemplates.nodes[0].id)
  }

  /** Asks for one that forgets its disk and is off, unless told otherwise; whatever is answered. */
  ask(i: Json, client: Client = this.#place.tenant.admin): Promise<GraphAnswer> {
    const input = {
      name: unique('vm'),
      templateId: this.#templateId,
      rootDisk: 'ephemeral',
      start: false,
      ...i,
    }
    return client.graphql(
      `mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name mac nics { ${nicFields} } } } }`,
      {
        i: input,
      },
    )
  }

  async deployed(i: Json): Promise<Json> {
    const { data, code, text } = await this.ask(i)
    if (code !== null) throw new Error(text)
    return data.createVm.vm
  }

  async refusal(i: Json): Promise<string | null> {
    return (await this.ask(i)).code
  }

  /** In or out of a network, once the cluster has been told; or the code of the refusal. */
  async rewire(
    verb: 'attachNetwork' | 'detachNetwork',
    vmId: string,
    networkId: string,
  ): Promise<Json> {
    return this.rewireBy(this.#place.tenant.admin, verb, { vmId, networkId })
  }

  /** The same by another way to Berth. */
  async rewireBy(
    client: Client,
    verb: 'attachNetwork' | 'detachNetwork',
    i: { vmId: string; networkId: string },
  ): Promise<Json> {
    const document = `mutation ($i: ${verb === 'attachNetwork' ? 'Attach' : 'Detach'}NetworkInput!) { ${verb}(input: $i, waitSeconds: 20) {
      vm { nics { ${nicFields} } } operation { id kind state steps { name state } } applies because } }`
    const { data, code } = await client.graphql(document, { i })
    return code ?? data[verb]
  }

  /** Asks for it and waits until it has been done. */
  async verb(verb: 'startVm' | 'restartVm', id: string): Promise<void> {
    const document = `mutation ($i: ${verb === 'startVm' ? 'Start' : 'Restart'}VmInput!) { ${verb}(input: $i, waitSeconds: 20) { operation { state } } }`
    const { operation } = (await this.#place.tenant.admin.ask(document, { i: { id } }))[verb]
    if (operation.state !== 'succeeded') throw new Error(`${verb} is ${operation.state}`)
  }

  async nicsOf(id: string): Promise<Json[]> {
    return (
      await this.#place.tenant.admin.ask(
        `query ($id: ID!) { vm(id: $id) { nics { ${nicFields} } } }`,
        { id },
      )
    ).vm.nics
  }

  async running(i: Json): Promise<Json> {
    const vm = await this.deployed({ start: true, ...i })
    await this.#vms.inState(vm.id, 'Running')
    return vm
  }

  async removed(id: string): Promise<void> {
    await this.#vms.ask('deleteVm', id)
    await this.#place.world.ended('delete_vm', id)
  }

  /** A network of a VPC that is there for it, once it is open. */
  async network(i: Json = {}, vpc: Json = {}): Promise<Json> {
    const { aVpc, aNetwork, opened } = networkActs(() => this.#place)
    const made = await aNetwork((await aVpc(vpc)).vpc.id, i)
    return opened('network', made.id)
  }

  /** The machine as the cluster was told of it; undefined where it was not. */
  async machine({ name }: Json): Promise<Json> {
    return (await this.#inTenant('/apis/kubevirt.io/v1', `virtualmachines/${name}`)).spec?.template
      .spec
  }

  /** What cloud-init is told of its network. */
  async networkData({ id }: Json): Promise<Json> {
    const { data } = await this.#inTenant('/api/v1', `secrets/vm-${id}-init`)
    return JSON.parse(Buffer.from(data.networkdata, 'base64').toString())
  }

  async #inTenant(group: string, path: string): Promise<Json> {
    const { world, tenant } = this.#place
    return (await world.cluster.call(`${group}/namespaces/${tenant.namespace}/${path}`)).body
  }

  async connected(id: string, name: string): Promise<Json> {
    let nic: Json
    const isSeen = async (): Promise<boolean> =>
      Boolean((nic = (await this.nicsOf(id)).find((each) => each.name === name))?.seenAddress)
    await waitFor(isSeen, { timeoutMs: 20_000, what: `${name} to have an address` })
    return nic
  }
}
