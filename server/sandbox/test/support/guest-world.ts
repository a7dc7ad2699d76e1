import { type KubeClient } from '../../../../test/support/sandbox/sandbox.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

/** The settings of a VM that a test creates. */
export interface GuestOrder {
  image?: string
  userData?: string
  networkData?: string
  devices?: object
  interfaces?: object[]
  networks?: object[]
  volumes?: object[]
  disks?: object[]
  runStrategy?: string
  claim?: string
  /** Additional fields of the template spec. */
  spec?: object
}

/** A namespace in the sandbox, and functions that create VMs in it and change them. */
export interface GuestWorld {
  namespace: string
  make(name: string, order?: GuestOrder): Promise<void>
  /** Creates the VM and waits until its VMI runs. */
  run(name: string, order?: GuestOrder): Promise<void>
  vmi(name: string): Promise<{ uid: string; phase: string; status: VmiStatus }>
  isTrue(name: string, condition: string): Promise<boolean>
  sub(name: string, action: string, method?: string): ReturnType<KubeClient['call']>
}

interface VmiStatus {
  phase?: string
  conditions?: { type: string; status: string }[]
  interfaces?: {
    name: string
    ipAddress?: string
    ipAddresses?: string[]
    interfaceName?: string
  }[]
  guestOSInfo?: { id?: string }
}

/** Creates a namespace for VMs whose guests are configured by the test. */
export async function guestWorld(client: KubeClient, namespace: string): Promise<GuestWorld> {
  await client.call('/api/v1/namespaces', {
    method: 'POST',
    body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  })
  const root = `/apis/kubevirt.io/v1/namespaces/${namespace}`
  const vmi = async (name: string): ReturnType<GuestWorld['vmi']> => {
    const { body } = await client.call(`${root}/virtualmachineinstances/${name}`)
    // The cast holds for a VMI. A Status has none of these fields.
    const status = (typeof body.status === 'object' ? body.status : {}) as VmiStatus
    return {
      uid: typeof body.metadata.uid === 'string' ? body.metadata.uid : '',
      phase: status.phase ?? '',
      status,
    }
  }
  const make: GuestWorld['make'] = async (name, order = {}) => {
    const { status, text } = await client.call(`${root}/virtualmachines`, {
      method: 'POST',
      body: vmOf(name, order),
    })
    if (status !== 201) throw new TypeError(text)
  }
  return {
    namespace,
    make,
    vmi,
    async run(name, order) {
      await make(name, order)
      await waitFor(async () => (await vmi(name)).phase === 'Running', {
        what: `${name} to run`,
        timeoutMs: 10_000,
      })
    },
    async isTrue(name, condition) {
      const { status } = await vmi(name)
      return (
        status.conditions?.some((each) => each.type === condition && each.status === 'True') ===
        true
      )
    },
    sub: (name, action, method = 'GET') =>
      client.call(
        `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${name}/${action}`,
        { method },
      ),
  }
}

function vmOf(name: string, order: GuestOrder): object {
  const {
    image = 'quay.io/containerdisks/fedora:42',
    userData = '#cloud-config\n',
    networkData,
    claim,
  } = order
  const rootSource =
    claim === undefined
      ? { containerDisk: { image } }
      : { persistentVolumeClaim: { claimName: claim } }
  const seed = { userData, ...(networkData === undefined ? {} : { networkData }) }
  const disk = (diskName: string): object => ({ name: diskName, disk: { bus: 'virtio' } })
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name },
    spec: {
      runStrategy: order.runStrategy ?? 'RerunOnFailure',
      template: {
        spec: {
          ...order.spec,
          domain: {
            memory: { guest: '1Gi' },
            devices: {
              disks: [disk('root'), disk('seed'), ...(order.disks ?? [])],
              interfaces: order.interfaces ?? [{ name: 'default', masquerade: {} }],
              ...order.devices,
            },
          },
          networks: order.networks ?? [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', ...rootSource },
            { name: 'seed', cloudInitNoCloud: seed },
            ...(order.volumes ?? []),
          ],
        },
      },
    },
  }
}
