import { describe, expect, test } from 'vitest'
import { nothingUsed as nothing, unlimited } from '../../../../test/support/world/quotas.ts'
import { netUnder } from './quota-backstop.ts'
import { quotaLines } from './quota.ts'

const limits = { ...unlimited, vms: 10, vcpus: 20, memoryMi: 40_960, storageGi: 100 }

describe('the net under a quota', () => {
  test.each([
    { because: 'what is not limited is not', own: unlimited, keys: [] },
    {
      because: 'all is where all is',
      own: limits,
      keys: ['cpuMillis', 'memoryMi', 'storageGi', 'vms'],
    },
    {
      because: 'helpers need memory for each machine, and of those there may be any number',
      own: { ...unlimited, memoryMi: 1 },
      keys: [],
    },
    {
      because: 'no machine is without a vCPU, so their number is known',
      own: { ...limits, vms: null },
      keys: ['cpuMillis', 'memoryMi', 'storageGi'],
    },
    {
      because: 'a machine may have any number of vCPUs, each of which costs memory',
      own: { ...limits, vcpus: null },
      keys: ['storageGi', 'vms'],
    },
  ])('$because', ({ own, keys }) => {
    expect(Object.keys(netUnder(quotaLines(own, nothing))).sort()).toEqual(keys)
  })

  test('is as wide as what the tenant has where that is more than it might have by now', () => {
    const lowered = quotaLines(nothing, {
      ...nothing,
      vms: 10,
      vcpus: 20,
      memoryMi: 40_960,
      storageGi: 100,
    })
    expect(netUnder(lowered)).toEqual(netUnder(quotaLines(limits, nothing)))
  })
})
