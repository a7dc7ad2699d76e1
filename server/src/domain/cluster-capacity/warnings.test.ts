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
  { hosts: three, promised: [0, 0, 0], warns: [], because: 'nothing is promised' },
  {
    hosts: three,
    promised: [10, 40, 81_999],
    warns: [],
    because: 'cores are shared out, and memory is a bit under the mark',
  },
  {
    hosts: three,
    promised: [1, 136, 0],
    warns: ['cpu_short'],
    because: 'no more vCPUs fit soon, however they are shared out',
  },
  {
    hosts: three,
    promised: [10, 40, 82_000],
    warns: ['memory_short'],
    because: 'memory is not shared out',
  },
  {
    hosts: three,
    promised: [110, 110, 56_320],
    warns: ['memory_short'],
    because: 'what runs around small machines is as much again',
  },
  {
    hosts: three,
    promised: [9, 160, 200_000],
    warns: ['cpu_short', 'memory_short'],
    because: 'there is more promised than there is',
  },
  { hosts: none, promised: [1, 1, 1], warns: ['no_open_host'], because: 'that says it all' },
  {
    hosts: none,
    promised: [0, 0, 0],
    warns: ['no_open_host'],
    because: 'the next machine would not start',
  },
  { hosts: null, promised: [99, 900, 90_000], warns: [], because: 'nobody knows what there is' },
]
test.each(rows)(
  '$promised promised of what there is warn of $warns: $because',
  ({ hosts, promised: [vms, vcpus, memoryMi], warns }) => {
    expect(capacityWarningsOf(hosts, { vms, vcpus, memoryMi })).toEqual(warns)
  },
)
