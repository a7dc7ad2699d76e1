import { expect, test } from 'vitest'
import { type CapacityWarning, capacityWarningsOf } from './warnings.ts'

const three = { total: 3, ready: 3, open: 2, cores: 16, memoryMi: 100_000, vcpusPerCore: 10 }
const none = { ...three, open: 0, cores: 0, memoryMi: 0 }
const rows: {
  hosts: typeof three | null
  promised: [vms: number, vcpus: number, memoryMi: number]
  warns: CapacityWarning[]
  because: string
}[] = [
  { hosts: three, promised: [0, 0, 0], warns: [], because: 'no capacity is allocated' },
  {
    hosts: three,
    promised: [10, 40, 81_999],
    warns: [],
    because: 'cores are overcommitted, and memory is just below the threshold',
  },
  {
    hosts: three,
    promised: [1, 136, 0],
    warns: ['cpu_short'],
    because: 'even overcommitted cores are almost used up',
  },
  {
    hosts: three,
    promised: [10, 40, 82_000],
    warns: ['memory_short'],
    because: 'memory is not overcommitted',
  },
  {
    hosts: three,
    promised: [110, 110, 56_320],
    warns: ['memory_short'],
    because: 'the launchers of many small VMs need much memory',
  },
  {
    hosts: three,
    promised: [9, 160, 200_000],
    warns: ['cpu_short', 'memory_short'],
    because: 'allocation exceeds the capacity',
  },
  {
    hosts: none,
    promised: [1, 1, 1],
    warns: ['no_open_host'],
    because: 'no other warning is needed',
  },
  {
    hosts: none,
    promised: [0, 0, 0],
    warns: ['no_open_host'],
    because: 'the next VM would not start',
  },
  { hosts: null, promised: [99, 900, 90_000], warns: [], because: 'the capacity is unknown' },
]
test.each(rows)(
  'an allocation of $promised gives the warnings $warns: $because',
  ({ hosts, promised: [vms, vcpus, memoryMi], warns }) => {
    expect(capacityWarningsOf(hosts, { vms, vcpus, memoryMi })).toEqual(warns)
  },
)
