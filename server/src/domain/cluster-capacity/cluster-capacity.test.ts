import { expect, test } from 'vitest'
import { type ObservedNodeSize, hostCapacityFrom } from './cluster-capacity.ts'

const node = (more: Partial<ObservedNodeSize> = {}): ObservedNodeSize => ({
  isReady: true,
  isOpen: true,
  cores: 8,
  memoryMi: 1000,
  ...more,
})

test.each([
  {
    hosts: [],
    has: { total: 0, ready: 0, open: 0, cores: 0, memoryMi: 0 },
    because: 'the cluster has no nodes',
  },
  {
    hosts: [node(), node()],
    has: { total: 2, ready: 2, open: 2, cores: 16, memoryMi: 2000 },
    because: 'both nodes accept VMs',
  },
  {
    hosts: [node(), node({ isOpen: false })],
    has: { total: 2, ready: 2, open: 1, cores: 8, memoryMi: 1000 },
    because: 'a closed node accepts no new VMs',
  },
  {
    hosts: [node(), node({ isReady: false })],
    has: { total: 2, ready: 1, open: 1, cores: 8, memoryMi: 1000 },
    because: 'a node that is not ready accepts no VMs',
  },
])('a cluster of $hosts.length nodes has capacity $has: $because', ({ hosts, has }) => {
  expect(hostCapacityFrom(hosts, 10)).toEqual({ ...has, vcpusPerCore: 10 })
})
