import { expect, test } from 'vitest'
import { type VolumeProgress, isSettled } from './settled.ts'
import { volumeStates } from './state.ts'

const asked: VolumeProgress = { sizeGi: 2, grownGi: 2, vmId: 'a', deleteRequestedAt: null }
const seen = { state: 'attached', heldBy: 'a' } as const
const failed = { state: 'failed', heldBy: null } as const

test.for([
  { because: 'all is as requested', settled: true },
  { because: 'it has to grow', volume: { sizeGi: 3 }, settled: false },
  { because: 'its VM does not have it yet', found: { ...seen, heldBy: null }, settled: false },
  { because: 'its last VM still has it', volume: { vmId: null }, settled: false },
  {
    because: 'no VM has it',
    volume: { vmId: undefined },
    found: { ...seen, heldBy: null },
    settled: true,
  },
  { because: 'deletion is requested', volume: { deleteRequestedAt: 'now' }, settled: false },
  { because: 'it could not be made', volume: { grownGi: null }, found: failed, settled: true },
  {
    because: 'it could not be made and goes',
    volume: { deleteRequestedAt: 'now' },
    found: failed,
    settled: false,
  },
])('a volume is settled, or not: $because', ({ volume = {}, found = seen, settled }) => {
  expect(isSettled({ ...asked, ...volume }, found)).toBe(settled)
})

test('a volume settles only in states that do not change with time alone', () => {
  const settled = volumeStates.filter((state) => isSettled(asked, { ...seen, state }))
  expect(settled).toEqual(['ready', 'attached', 'failed'])
})
