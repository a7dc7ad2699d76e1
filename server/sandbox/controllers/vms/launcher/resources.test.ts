import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { type LauncherContext } from './context.ts'
import { demandOf } from './resources.ts'

const vmiWith = (domain: JsonMap): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm1', namespace: 'ns1' },
  spec: { domain: { devices: { autoattachPodInterface: false }, ...domain } },
})

const context: LauncherContext = {
  configuration: { developerConfiguration: { useEmulation: true } },
  isGateEnabled: () => true,
  claimOf: () => undefined,
  isLimited: () => false,
  images: {},
}
const gib = { guest: '1Gi' }
const storage = { 'ephemeral-storage': '50M' }

test.each([
  {
    because: 'a tenth of each vCPU, and the memory overhead',
    domain: { cpu: { sockets: 2 }, memory: gib },
    demand: { requests: { cpu: '200m', memory: '1320Mi', ...storage }, limits: {} },
  },
  {
    because: 'ten vCPUs are one CPU',
    domain: { cpu: { sockets: 10 }, memory: gib },
    demand: { requests: { cpu: '1', memory: '1384Mi', ...storage }, limits: {} },
  },
  {
    because: 'dedicated CPUs and their memory are requested and limited',
    domain: {
      cpu: { cores: 2, dedicatedCpuPlacement: true, isolateEmulatorThread: true },
      memory: gib,
    },
    demand: {
      requests: { cpu: '3', memory: '1420Mi', ...storage },
      limits: { cpu: '3', memory: '1420Mi' },
    },
  },
  {
    because: 'huge pages hold the guest, so memory covers only the overhead',
    domain: { memory: { ...gib, hugepages: { pageSize: '2Mi' } } },
    demand: {
      requests: { cpu: '100m', memory: '288Mi', 'hugepages-2Mi': '1Gi', ...storage },
      limits: { 'hugepages-2Mi': '1Gi' },
    },
  },
  {
    because: 'interfaces and host devices are limits with their count',
    domain: {
      memory: gib,
      devices: {
        interfaces: [{}],
        gpus: [{ deviceName: 'example.com/gpu' }, { deviceName: 'example.com/gpu' }],
      },
    },
    demand: {
      requests: { cpu: '100m', memory: '2336Mi', ...storage },
      limits: { 'devices.kubevirt.io/tun': '1', 'example.com/gpu': '2' },
    },
  },
])('the compute container requests the resources of its guest: $because', ({ domain, demand }) => {
  expect(demandOf(vmiWith(domain), context)).toEqual(demand)
})

test('the compute container gets the KVM and vhost devices without emulation', () => {
  const vmi = vmiWith({ memory: gib, devices: { interfaces: [{ model: 'virtio' }] } })
  const { limits } = demandOf(vmi, { ...context, configuration: {} })
  const one = '1'
  expect(limits).toEqual({
    'devices.kubevirt.io/tun': one,
    'devices.kubevirt.io/vhost-net': one,
    'devices.kubevirt.io/kvm': one,
  })
})

test('the compute container limits itself to its vCPUs and twice its memory under a quota', () => {
  const { limits } = demandOf(vmiWith({ cpu: { sockets: 2 }, memory: gib }), {
    ...context,
    isLimited: () => true,
  })
  expect(limits).toEqual({ cpu: '2', memory: '2640Mi' })
})
