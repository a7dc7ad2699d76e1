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
    because: 'one vCPU, its I/O thread and a display are the minimum',
    domain: {},
    overhead: '288Mi',
  },
  {
    because: 'each vCPU adds a fixed amount',
    domain: { cpu: { sockets: 2, cores: 2 } },
    overhead: '312Mi',
  },
  {
    because: 'a VM without a display needs no video memory',
    domain: { devices: { autoattachGraphicsDevice: false } },
    overhead: '256Mi',
  },
  {
    because: 'a TPM is a separate process',
    domain: { devices: { tpm: {} } },
    overhead: '341Mi',
  },
  {
    because: 'a host device locks all memory',
    domain: { devices: { hostDevices: [{}] } },
    overhead: '1312Mi',
  },
  {
    because: 'requested memory needs page tables',
    domain: { resources: { requests: { memory: '1Gi' } } },
    overhead: '304087040',
  },
])('the memory overhead of a guest has the value of KubeVirt: $because', ({ domain, overhead }) => {
  expect(overheadOf(vmiWith(domain))).toBe(overhead)
})
