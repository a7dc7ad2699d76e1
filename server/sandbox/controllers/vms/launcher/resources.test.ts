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
  isOn: () => true,
  claimOf: () => undefined,
  isLimited: () => false,
  images: {},
}
const gib = { guest: '1Gi' }
const storage = { 'ephemeral-storage': '50M' }

test.each([
  {
    because: 'a tenth of each processor and the memory around the guest',
    domain: { cpu: { sockets: 2 }, memory: gib },
    demand: { requests: { cpu: '200m', memory: '1320Mi', ...storage }, limits: {} },
  },
  {
    because: 'ten processors are a whole one',
    domain: { cpu: { sockets: 10 }, memory: gib },
    demand: { requests: { cpu: '1', memory: '1384Mi', ...storage }, limits: {} },
  },
  {
    because: 'pinned processors are asked for and kept, as is their memory',
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
    because: 'a guest in huge pages leaves only what is around it to common memory',
    domain: { memory: { ...gib, hugepages: { pageSize: '2Mi' } } },
    demand: {
      requests: { cpu: '100m', memory: '288Mi', 'hugepages-2Mi': '1Gi', ...storage },
      limits: { 'hugepages-2Mi': '1Gi' },
    },
  },
  {
    because: 'interfaces and devices of the host are limited, each as often as it is wanted',
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
])('a launcher asks its node for what its guest needs: $because', ({ domain, demand }) => {
  expect(demandOf(vmiWith(domain), context)).toEqual(demand)
})

test('without emulation a launcher is given the devices that make its guest fast', () => {
  const vmi = vmiWith({ memory: gib, devices: { interfaces: [{ model: 'virtio' }] } })
  const { limits } = demandOf(vmi, { ...context, configuration: {} })
  const one = '1'
  expect(limits).toEqual({
    'devices.kubevirt.io/tun': one,
    'devices.kubevirt.io/vhost-net': one,
    'devices.kubevirt.io/kvm': one,
  })
})

test('where a quota limits the namespace the launcher limits itself, to all of its processors and twice its memory', () => {
  const { limits } = demandOf(vmiWith({ cpu: { sockets: 2 }, memory: gib }), {
    ...context,
    isLimited: () => true,
  })
  expect(limits).toEqual({ cpu: '2', memory: '2640Mi' })
})
