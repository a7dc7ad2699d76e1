import { describe, expect, test } from 'vitest'
import { nothingUsed as nothing, unlimited } from '../../../../test/support/world/quotas.ts'
import { quotaBackstopOf } from './quota-backstop.ts'
import { quotaLines } from './quota.ts'

const limits = { ...unlimited, vms: 10, vcpus: 20, memoryMi: 40_960, storageGi: 100 }

describe('the backstop of a quota', () => {
  test.each([
    { because: 'an unlimited quota needs no backstop', own: unlimited, keys: [] },
    {
      because: 'a quota with all limits has a backstop for all of them',
      own: limits,
      keys: ['cpuMillis', 'memoryMi', 'storageGi', 'vms'],
    },
    {
      because: 'the launchers of an unlimited number of VMs may need any memory',
      own: { ...unlimited, memoryMi: 1 },
      keys: [],
    },
    {
      because: 'each VM has a vCPU, so the vCPU limit bounds the number of VMs',
      own: { ...limits, vms: null },
      keys: ['cpuMillis', 'memoryMi', 'storageGi'],
    },
    {
      because: 'each vCPU needs memory, and their number is unlimited',
      own: { ...limits, vcpus: null },
      keys: ['storageGi', 'vms'],
    },
  ])('a backstop limits only what the quota bounds: $because', ({ own, keys }) => {
    expect(Object.keys(quotaBackstopOf(quotaLines(own, nothing))).sort()).toEqual(keys)
  })

  test('the backstop allows the present usage when a lowered limit is below it', () => {
    const lowered = quotaLines(nothing, {
      ...nothing,
      vms: 10,
      vcpus: 20,
      memoryMi: 40_960,
      storageGi: 100,
    })
    expect(quotaBackstopOf(lowered)).toEqual(quotaBackstopOf(quotaLines(limits, nothing)))
  })
})
