import { expect, test } from 'vitest'
import { type VolumeProgress, isSettled } from './settled.ts'
import { volumeStates } from './state.ts'

const desired: VolumeProgress = { sizeGi: 2, grownGi: 2, vmId: 'a', deleteRequestedAt: null }
const attached = { state: 'attached', heldBy: 'a' } as const
const failed = { state: 'failed', heldBy: null } as const

test.for([
  { because: 'all is as requested', settled: true },
  { because: 'it has to grow', volume: { sizeGi: 3 }, settled: false },
  {
    because: 'its VM does not have it yet',
    observed: { ...attached, heldBy: null },
    settled: false,
  },
  { because: 'its last VM still has it', volume: { vmId: null }, settled: false },
  {
    because: 'no VM has it',
    volume: { vmId: undefined },
    observed: { ...attached, heldBy: null },
    settled: true,
  },
  { because: 'deletion is requested', volume: { deleteRequestedAt: 'now' }, settled: false },
  {
    because: 'it could not be created',
    volume: { grownGi: null },
    observed: failed,
    settled: true,
  },
  {
    because: 'it could not be created and is being deleted',
    volume: { deleteRequestedAt: 'now' },
    observed: failed,
    settled: false,
  },
])('a volume is settled or not: $because', ({ volume = {}, observed = attached, settled }) => {
  expect(isSettled({ ...desired, ...volume }, observed)).toBe(settled)
})

test('a volume settles only in states that do not change with time alone', () => {
  const settled = volumeStates.filter((state) => isSettled(desired, { ...attached, state }))
  expect(settled).toEqual(['ready', 'attached', 'failed'])
})
