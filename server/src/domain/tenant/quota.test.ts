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
    { because: 'the last one fits', asked: { vms: 1, vcpus: 2 }, refused: [] },
    {
      because: 'one too many of one thing',
      asked: { vms: 1, vcpus: 3 },
      refused: ['vCPUs (limit 8, used 6, asked 3)'],
    },
    { because: 'no limit is no limit', asked: { memoryMi: 1_000_000 }, refused: [] },
    {
      because: 'a lowered limit forbids more of it',
      asked: { storageGi: 1 },
      refused: ['GiB of storage (limit 100, used 120, asked 1)'],
    },
    { because: 'and not what needs none of it', asked: { vms: 1, storageGi: 0 }, refused: [] },
    {
      because: 'one snapshot more',
      asked: { snapshots: 1 },
      refused: ['snapshots (limit 3, used 3, asked 1)'],
    },
    {
      because: 'everything tight is told at once',
      asked: { vms: 2, vcpus: 3 },
      refused: ['VMs (limit 2, used 1, asked 2)', 'vCPUs'],
    },
  ])('$because', ({ asked, refused }) => {
    const fault = quotaRefusal(lines, asked)
    expect(fault?.code ?? null).toBe(refused.length > 0 ? 'quota_exceeded' : null)
    for (const words of refused) expect(fault?.message).toContain(words)
  })

  test('changes where it is named, null lifts it, and it is never negative', () => {
    expect(changedLimits(limits, { vms: 5, vcpus: null })).toEqual({
      ...limits,
      vms: 5,
      vcpus: null,
    })
    expect(() => changedLimits(limits, { storageGi: -1 })).toThrow('storageGi must be')
  })
})
