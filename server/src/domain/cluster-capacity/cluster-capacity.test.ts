import { expect, test } from 'vitest'
import { type SeenHostSize, hostCapacityFrom } from './cluster-capacity.ts'

const host = (more: Partial<SeenHostSize> = {}): SeenHostSize => ({
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
    because: 'there is nothing',
  },
  {
    hosts: [host(), host()],
    has: { total: 2, ready: 2, open: 2, cores: 16, memoryMi: 2000 },
    because: 'both take machines',
  },
  {
    hosts: [host(), host({ isOpen: false })],
    has: { total: 2, ready: 2, open: 1, cores: 8, memoryMi: 1000 },
    because: 'nothing new comes to the one that is closed',
  },
  {
    hosts: [host(), host({ isReady: false })],
    has: { total: 2, ready: 1, open: 1, cores: 8, memoryMi: 1000 },
    because: 'one that is not ready takes none, whatever else is said of it',
  },
])('$hosts.length hosts have $has: $because', ({ hosts, has }) => {
  expect(hostCapacityFrom(hosts, 10)).toEqual({ ...has, vcpusPerCore: 10 })
})
