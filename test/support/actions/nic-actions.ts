import { type Json } from '../json.ts'
import { networkActions } from './network-actions.ts'
import { vmActions } from './vm-actions.ts'
import { waitFor } from '../wait-for.ts'
import { type FixtureContext } from '../requests/request-fixtures.ts'
import { type Client, type GraphAnswer } from '../clients/http-client.ts'
import { unique } from '../world/world.ts'

const nicFields = `id name kind state stateReason mac address seenAddress configuredInGuest isPrimary networkId networkName gateway attachmentNamespace attachmentName
  network { id name cidr state }`

/** Actions of a tenant on the NICs of VMs, and their state in the API and in the cluster. */
export class NicActions {
  readonly #context: FixtureContext
  readonly #vms: Awaited<ReturnType<typeof vmActions>>
  readonly #templateId: string

  private constructor(
    context: FixtureContext,
    vms: Awaited<ReturnType<typeof vmActions>>,
    templateId: string,
  ) {
    this.#context = context
    this.#vms = vms
    this.#templateId = templateId
  }

  static async in(context: FixtureContext): Promise<NicActions> {
    const found = await context.tenant.admin.ask(
      '{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }',
    )
    return new NicActions(
      context,
      await vmActions(context.tenant.admin),
      found.vmTemplates.nodes[0].id,
    )
  }

  /** Requests a VM, by default stopped with an ephemeral disk. Returns any answer. */
  ask(i: Json, client: Client = this.#context.tenant.admin): Promise<GraphAnswer> {
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

  /** Attaches or detaches a network and waits for the operation, or returns the refusal code. */
  async rewire(
    verb: 'attachNetwork' | 'detachNetwork',
    vmId: string,
    networkId: string,
  ): Promise<Json> {
    return this.rewireBy(this.#context.tenant.admin, verb, { vmId, networkId })
  }

  /** Attaches or detaches a network through another client. */
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

  /** Starts or restarts the VM and waits for the operation. */
  async verb(verb: 'startVm' | 'restartVm', id: string): Promise<void> {
    const document = `mutation ($i: ${verb === 'startVm' ? 'Start' : 'Restart'}VmInput!) { ${verb}(input: $i, waitSeconds: 20) { operation { state } } }`
    const { operation } = (await this.#context.tenant.admin.ask(document, { i: { id } }))[verb]
    if (operation.state !== 'succeeded') throw new Error(`${verb} is ${operation.state}`)
  }

  async nicsOf(id: string): Promise<Json[]> {
    return (
      await this.#context.tenant.admin.ask(
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
    await this.#context.world.ended('delete_vm', id)
  }

  /** Creates a network in a VPC of its own and waits until it is active. */
  async network(i: Json = {}, vpc: Json = {}): Promise<Json> {
    const { aVpc, aNetwork, opened } = networkActions(() => this.#context)
    const made = await aNetwork((await aVpc(vpc)).vpc.id, i)
    return opened('network', made.id)
  }

  /** The spec in the template of the VirtualMachine; undefined without one. */
  async vmSpec({ name }: Json): Promise<Json> {
    return (await this.#inTenant('/apis/kubevirt.io/v1', `virtualmachines/${name}`)).spec?.template
      .spec
  }

  /** The network data for cloud-init, from the secret of the VM. */
  async networkData({ id }: Json): Promise<Json> {
    const { data } = await this.#inTenant('/api/v1', `secrets/vm-${id}-init`)
    return JSON.parse(Buffer.from(data.networkdata, 'base64').toString())
  }

  async #inTenant(group: string, path: string): Promise<Json> {
    const { world, tenant } = this.#context
    return (await world.cluster.call(`${group}/namespaces/${tenant.namespace}/${path}`)).body
  }

  async connected(id: string, name: string): Promise<Json> {
    let nic: Json
    const hasAddress = async (): Promise<boolean> =>
      Boolean((nic = (await this.nicsOf(id)).find((each) => each.name === name))?.seenAddress)
    await waitFor(hasAddress, { timeoutMs: 20_000, what: `${name} to have an address` })
    return nic
  }
}
