import { describe, expect, test } from 'vitest'
import { nothingUsed, unlimited } from '../../../../test/support/world/quotas.ts'
import { changedLimits, quotaLines, quotaRefusal } from './quota.ts'

const limits = { ...unlimited, vms: 2, vcpus: 8, storageGi: 100, snapshots: 3 }
const used = {
  ...nothingUsed,
  vms: 1,
  vcpus: 6,
  memoryMi: 4096,
  storageGi: 120,
  volumes: 9,
  snapshots: 3,
  vpcs: 1,
  networks: 1,
}
const lines = quotaLines(limits, used)

describe('a quota', () => {
  test.each([
    {
      because: 'the last VM within the limit is allowed',
      requested: { vms: 1, vcpus: 2 },
      refused: [],
    },
    {
      because: 'one vCPU too many is refused',
      requested: { vms: 1, vcpus: 3 },
      refused: ['vCPUs (limit 8, used 6, and this request would add 3)'],
    },
    {
      because: 'a resource without a limit is allowed',
      requested: { memoryMi: 1_000_000 },
      refused: [],
    },
    {
      because: 'usage above a lowered limit may not grow',
      requested: { storageGi: 1 },
      refused: ['GiB of storage (limit 100, used 120, and this request would add 1)'],
    },
    {
      because: 'a request that needs none of an exceeded resource is allowed',
      requested: { vms: 1, storageGi: 0 },
      refused: [],
    },
    {
      because: 'one snapshot too many is refused',
      requested: { snapshots: 1 },
      refused: ['snapshots (limit 3, used 3, and this request would add 1)'],
    },
    {
      because: 'the refusal lists all exceeded limits',
      requested: { vms: 2, vcpus: 3 },
      refused: ['VMs (limit 2, used 1, and this request would add 2)', 'vCPUs'],
    },
  ])('a quota is checked for each resource: $because', ({ requested, refused }) => {
    const fault = quotaRefusal(lines, requested)
    expect(fault?.code ?? null).toBe(refused.length > 0 ? 'quota_exceeded' : null)
    for (const text of refused) expect(fault?.message).toContain(text)
  })

  test('an update changes the named limits, removes those that are null and refuses negative ones', () => {
    expect(changedLimits(limits, { vms: 5, vcpus: null })).toEqual({
      ...limits,
      vms: 5,
      vcpus: null,
    })
    expect(() => changedLimits(limits, { storageGi: -1 })).toThrow('storageGi must be')
  })
})
