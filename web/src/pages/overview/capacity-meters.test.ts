import { expect, test } from 'vitest'
import { capacityMeters } from './capacity-meters.ts'

const hosts = { total: 3, ready: 3, open: 3, cores: 24, memoryMi: 65_536, vcpusPerCore: 10 }
const meters = (overrides: Partial<Parameters<typeof capacityMeters>[0]>) =>
  capacityMeters({
    hosts,
    promised: { vms: 2, vcpus: 6, memoryMi: 16_384 },
    warnings: [],
    ...overrides,
  })

test('each meter shows the allocated share of the capacity', () => {
  expect(meters({})).toEqual([
    { label: 'vCPU', taken: '6', of: 'of 24 cores', percent: 25, isShort: false },
    { label: 'Memory', taken: '16 GiB', of: 'of 64 GiB', percent: 25, isShort: false },
  ])
})

test('a bar ends at 100 %, and only the warnings of the server mark a shortage', () => {
  const promised = { vms: 90, vcpus: 60, memoryMi: 131_072 }
  expect(meters({ promised, warnings: ['memory_short'] })).toEqual([
    { label: 'vCPU', taken: '60', of: 'of 24 cores', percent: 100, isShort: false },
    { label: 'Memory', taken: '128 GiB', of: 'of 64 GiB', percent: 100, isShort: true },
  ])
})

test('a bar without capacity is full, or empty when nothing is allocated', () => {
  const none = { ...hosts, open: 0, cores: 0, memoryMi: 0 }
  expect(meters({ hosts: none }).map(({ percent }) => percent)).toEqual([100, 100])
  expect(
    meters({ hosts: none, promised: { vms: 0, vcpus: 0, memoryMi: 0 } }).map(
      ({ percent }) => percent,
    ),
  ).toEqual([0, 0])
})

test('a meter without known capacity shows the allocated amount alone', () => {
  expect(meters({ hosts: null })).toEqual([
    { label: 'vCPU', taken: '6 promised', of: null, percent: null, isShort: false },
    { label: 'Memory', taken: '16 GiB promised', of: null, percent: null, isShort: false },
  ])
})
