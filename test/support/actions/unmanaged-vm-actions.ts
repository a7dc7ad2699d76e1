import { type Json } from '../json.ts'
import { waitFor } from '../wait-for.ts'
import { type World, type WorldTenant, unique } from '../world/world.ts'

const vms = '/apis/kubevirt.io/v1'
const volumes = '/apis/cdi.kubevirt.io/v1beta1'

interface ForeignVm {
  name: string
  /** The DataVolume of its root disk. */
  volume: string
}

/** Sends a request to the cluster as another client would. */
async function send(world: World, path: string, request?: Json): Promise<Json> {
  const { status, text, body } = await world.cluster.call(path, request)
  if (status >= 300) throw new Error(`${path}: ${text}`)
  return body
}

/** Creates a VM with one disk as `kubectl apply` would, and waits until its disk has storage. */
export async function aForeignVm(
  world: World,
  { namespace }: Pick<WorldTenant, 'namespace'>,
  { name = unique('foreign'), template = {}, power = 'Halted', labels = {} }: Json = {},
): Promise<ForeignVm> {
  const volume = `${name}-disk`
  await send(world, `${volumes}/namespaces/${namespace}/datavolumes`, {
    method: 'POST',
    body: {
      apiVersion: 'cdi.kubevirt.io/v1beta1',
      kind: 'DataVolume',
      metadata: {
        name: volume,
        annotations: { 'cdi.kubevirt.io/storage.bind.immediate.requested': '' },
      },
      spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '2Gi' } } } },
    },
  })
  const isBound = async (): Promise<boolean> =>
    (await send(world, `/api/v1/namespaces/${namespace}/persistentvolumeclaims`)).items.some(
      ({ metadata, status }: Json) => metadata.name === volume && status?.phase === 'Bound',
    )
  await waitFor(isBound, { timeoutMs: 20_000, what: 'the disk to have storage' })
  await send(world, `${vms}/namespaces/${namespace}/virtualmachines`, {
    method: 'POST',
    body: {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name, labels },
      spec: { runStrategy: power, template: { spec: { ...specOf(volume), ...template } } },
    },
  })
  return { name, volume }
}

const specOf = (volume: string): Json => ({
  domain: {
    cpu: { sockets: 2 },
    memory: { guest: '512Mi' },
    devices: {
      disks: [{ name: 'main', disk: { bus: 'virtio' } }],
      interfaces: [{ name: 'default', masquerade: {} }],
    },
  },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'main', dataVolume: { name: volume } }],
})

export const changeForeignVm = async (
  world: World,
  { namespace, name }: { namespace: string; name: string },
  { method = 'PATCH', body }: Json,
): Promise<Json> =>
  send(world, `${vms}/namespaces/${namespace}/virtualmachines/${name}`, {
    method,
    headers: { 'content-type': 'application/merge-patch+json' },
    body,
  })

const fields =
  'id name power status cpu memoryMi disks { name kind source sizeGi storageClass } nics { name network mac } obstacles'

/** Returns the VMs that Berth shows as not managed. */
export const unmanagedVms = async ({ admin }: Pick<WorldTenant, 'admin'>): Promise<Json[]> =>
  (await admin.ask(`{ unmanagedVms { nodes { ${fields} } } }`)).unmanagedVms.nodes

/** Waits until Berth shows the VM as not managed, and returns it. */
export async function untilShown(
  tenant: Pick<WorldTenant, 'admin'>,
  name: string,
  isAsExpected: (vm: Json) => boolean = () => true,
): Promise<Json> {
  let found: Json
  const isShown = async (): Promise<boolean> => {
    found = (await unmanagedVms(tenant)).find((vm) => vm.name === name)
    return Boolean(found) && isAsExpected(found)
  }
  await waitFor(isShown, { timeoutMs: 15_000, what: `${name} to be shown as unmanaged` })
  return found
}

/** Adopts an unmanaged VM. Returns the VM and the operation, or the refusal. */
export async function adopt({ admin }: Pick<WorldTenant, 'admin'>, name: string): Promise<Json> {
  const document =
    'mutation ($i: AdoptVmInput!) { adoptVm(input: $i) { vm { id name state } operation { id kind } } }'
  const answer = await admin.graphql(document, { i: { name } })
  return answer.code ? { code: answer.code, text: answer.text } : answer.data.adoptVm
}

/** Removes the row of a VM, as if its database were older than the VM, and returns its name. */
export async function loseRow(world: World, tenant: WorldTenant, id: string): Promise<string> {
  const [row] = await world.database.sql(`select name from vm where id = '${id}'`)
  for (const [table, column] of [
    ['operation', 'target_id'],
    ['change_log', 'object_id'],
    ['vm', 'id'],
  ])
    await world.database.sql(`delete from ${table} where ${column} = '${id}'`)
  const name = String(row?.['name'])
  // The next event of a VM in the namespace makes Berth look.
  await aForeignVm(world, tenant)
  await untilShown(tenant, name)
  return name
}
