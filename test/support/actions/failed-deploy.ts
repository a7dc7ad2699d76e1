import { type Json } from '../json.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'

/** A VM whose deploy the cluster refused. */
export interface FailedDeploy {
  vm: Json
  /** Removes what the cluster refused it for, so that a retry succeeds. */
  clearTheWay: () => Promise<void>
}

/**
 * Creates a VM with a name that another VirtualMachine has in the cluster, and waits until its
 * deploy has failed.
 */
export async function aFailedDeploy(
  world: Pick<World, 'cluster' | 'ended'>,
  { admin, namespace }: Pick<WorldTenant, 'admin' | 'namespace'>,
  input: Json = {},
): Promise<FailedDeploy> {
  const path = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`
  const name = unique('taken')
  const body = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: { runStrategy: 'Halted', template: { spec: { domain: { devices: {} } } } },
  }
  const made = await world.cluster.call(path, { method: 'POST', body })
  if (made.status !== 201) throw new Error(made.text)
  const found = await admin.ask('{ vmTemplates(filter: { search: "ubuntu" }) { nodes { id } } }')
  const templateId: string = found.vmTemplates.nodes[0].id
  const { createVm } = await admin.ask(
    'mutation ($i: CreateVmInput!) { createVm(input: $i) { vm { id name } } }',
    { i: { name, templateId, ...input } },
  )
  await world.ended('deploy_vm', createVm.vm.id)
  return {
    vm: createVm.vm,
    clearTheWay: async () =>
      void (await world.cluster.call(`${path}/${name}`, { method: 'DELETE' })),
  }
}
