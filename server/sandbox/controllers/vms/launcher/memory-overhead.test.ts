import { expect, test } from 'vitest'
import { type JsonMap, type KubeObject } from '../../../objects/types.ts'
import { overheadOf } from './memory-overhead.ts'

const vmiWith = (domain: JsonMap, spec: JsonMap = {}): KubeObject => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: { name: 'vm1', namespace: 'ns1' },
  spec: { domain, ...spec },
})

test.each([
  {
    because: 'one processor, its I/O thread and a screen are the least',
    domain: {},
    overhead: '288Mi',
  },
  {
    because: 'every processor costs something',
    domain: { cpu: { sockets: 2, cores: 2 } },
    overhead: '312Mi',
  },
  {
    because: 'a machine without a screen needs no video memory',
    domain: { devices: { autoattachGraphicsDevice: false } },
    overhead: '256Mi',
  },
  {
    because: 'a trusted platform module is a process of its own',
    domain: { devices: { tpm: {} } },
    overhead: '341Mi',
  },
  {
    because: 'all memory is locked for a device of the host',
    domain: { devices: { hostDevices: [{}] } },
    overhead: '1312Mi',
  },
  {
    because: 'requested memory needs page tables',
    domain: { resources: { requests: { memory: '1Gi' } } },
    overhead: '304087040',
  },
])('the memory around a guest: $because', ({ domain, overhead }) => {
  expect(overheadOf(vmiWith(domain))).toBe(overhead)
})
