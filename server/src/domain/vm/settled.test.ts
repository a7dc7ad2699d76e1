import { expect, test } from 'vitest'
import { type VmProgress, isSettled } from './settled.ts'
import { type VmState, vmStates } from './state.ts'

const resting: VmProgress = {
  generation: 2,
  appliedGeneration: 2,
  deleteRequestedAt: null,
  clusterUid: 'uid',
  restoreId: 'a',
  restoredId: 'a',
  isoInserted: true,
  isoUid: 'iso',
}

const cases: { because: string; vm: Partial<VmProgress>; settled: boolean }[] = [
  { because: 'all is as requested', vm: {}, settled: true },
  { because: 'the cluster lacks a generation', vm: { appliedGeneration: 1 }, settled: false },
  { because: 'deletion is requested', vm: { deleteRequestedAt: 'now' }, settled: false },
  { because: 'a restore is pending', vm: { restoreId: 'b' }, settled: false },
  {
    because: 'it was never restored',
    vm: { restoreId: null, restoredId: undefined },
    settled: true,
  },
  { because: 'the copy of its ISO is left over', vm: { isoInserted: false }, settled: false },
  {
    because: 'the copy of its ISO is gone',
    vm: { isoInserted: false, isoUid: null },
    settled: true,
  },
]

test.for(cases)('a VM is settled or not: $because', ({ vm, settled }) => {
  expect(isSettled({ ...resting, ...vm }, 'Running')).toBe(settled)
})

test('a VM settles only in states that do not change with time alone', () => {
  const expected: VmState[] = ['Running', 'Paused', 'Stopped', 'Lost', 'Failed']
  expect(vmStates.filter((state) => isSettled(resting, state))).toEqual(expected)
})

test('a VM that could not be created is settled, because only a retry applies its changes', () => {
  const behind = { ...resting, appliedGeneration: 0 }
  expect(isSettled({ ...behind, clusterUid: null }, 'Failed')).toBe(true)
  expect(isSettled({ ...behind, clusterUid: null }, 'Pending')).toBe(false)
  expect(isSettled(behind, 'Failed')).toBe(false)
})
