import { expect, test } from 'vitest'
import { capacityMeters } from './capacity-meters.ts'

const hosts = { total: 3, ready: 3, open: 3, cores: 24, memoryMi: 65_536, vcpusPerCore: 10 }
const meters = (given: Partial<Parameters<typeof capacityMeters>[0]>) =>
  capacityMeters({
    hosts,
    promised: { vms: 2, vcpus: 6, memoryMi: 16_384 },
    warnings: [],
    ...given,
  })

test('what is promised is told of what there is', () => {
  expect(meters({})).toEqual([
    { label: 'vCPU', taken: '6', of: 'of 24 cores', percent: 25, isShort: false },
    { label: 'Memory', taken: '16 GiB', of: 'of 64 GiB', percent: 25, isShort: false },
  ])
})

test('a bar ends where it is full, and only the server says that too little is left', () => {
  const promised = { vms: 90, vcpus: 60, memoryMi: 131_072 }
  expect(meters({ promised, warnings: ['memory_short'] })).toEqual([
    { label: 'vCPU', taken: '60', of: 'of 24 cores', percent: 100, isShort: false },
    { label: 'Memory', taken: '128 GiB', of: 'of 64 GiB', percent: 100, isShort: true },
  ])
})

test('where no host takes machines the bar is empty as long as nothing is promised', () => {
  const none = { ...hosts, open: 0, cores: 0, memoryMi: 0 }
  expect(meters({ hosts: none }).map(({ percent }) => percent)).toEqual([100, 100])
  expect(
    meters({ hosts: none, promised: { vms: 0, vcpus: 0, memoryMi: 0 } }).map(
      ({ percent }) => percent,
    ),
  ).toEqual([0, 0])
})

test('where nobody knows what there is, what is promised is told all the same', () => {
  expect(meters({ hosts: null })).toEqual([
    { label: 'vCPU', taken: '6 promised', of: null, percent: null, isShort: false },
    { label: 'Memory', taken: '16 GiB promised', of: null, percent: null, isShort: false },
  ])
})
