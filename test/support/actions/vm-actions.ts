import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type Client } from '../clients/http-client.ts'
import { unique } from '../world/world.ts'

const fields = 'id name state version'

export interface VmActions {
  /** Creates a VM with an ephemeral disk, which is the fastest to deploy. */
  create(input?: Json): Promise<Json>
  running(input?: Json): Promise<Json>
  read(id: string): Promise<Json>
  ask(verb: 'startVm' | 'stopVm' | 'deleteVm', id: string): Promise<void>
  inState(id: string, state: string): Promise<void>
}

/** Actions of a tenant on VMs, and their state in the API. */
export async function vmActions(client: Client, image = 'ubuntu'): Promise<VmActions> {
  const found = await client.ask(
    'query ($search: String) { vmTemplates(filter: { search: $search }) { nodes { id } } }',
    { search: image },
  )
  const templateId: string = found.vmTemplates.nodes[0].id
  const read: VmActions['read'] = async (id) =>
    (await client.ask(`query ($id: ID!) { vm(id: $id) { ${fields} } }`, { id })).vm
  const inState: VmActions['inState'] = (id, state) =>
    waitFor(async () => (await read(id))?.state === state, {
      timeoutMs: 20_000,
      what: `the VM to be ${state}`,
    })
  const create: VmActions['create'] = async (input = {}) => {
    const request = { name: unique('vm'), templateId, rootDisk: 'ephemeral', ...input }
    return (
      await client.ask(
        `mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { ${fields} } } }`,
        { i: request },
      )
    ).createVm.vm
  }
  return {
    create,
    read,
    inState,
    async running(input) {
      const vm = await create(input)
      await inState(vm.id, 'Running')
      return vm
    },
    async ask(verb, id) {
      await client.ask(`mutation ($id: ID!) { ${verb}(input: { id: $id }) { vm { id } } }`, { id })
    },
  }
}
