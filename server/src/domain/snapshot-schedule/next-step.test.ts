import { expect, test } from 'vitest'
import { shouldRetry, nextStep, surplusSnapshots } from './next-step.ts'

const now = 1_000

test.each([
  [{ isActive: true, dueMs: 1_000, run: null }, { do: 'take', dueMs: 1_000 }, 'the run is due'],
  [{ isActive: true, dueMs: 5, run: null }, { do: 'take', dueMs: 5 }, 'a missed run is taken late'],
  [
    { isActive: true, dueMs: 1_001, run: null },
    { do: 'sleep', dueMs: 1_001 },
    'the run is not due yet',
  ],
  [{ isActive: false, dueMs: 5, run: null }, { do: 'rest' }, 'the schedule is paused'],
  [{ isActive: true, dueMs: null, run: null }, { do: 'rest' }, 'the schedule is never due again'],
  [
    { isActive: true, dueMs: 5, run: 'under_way' },
    { do: 'wait' },
    'the last run is still in progress',
  ],
  [
    { isActive: false, dueMs: 5, run: 'taken' },
    { do: 'settle', as: 'taken' },
    'a started run is settled even when the schedule is paused',
  ],
] as const)('the next step of schedule %o is %o: %s', (schedule, step, _because) => {
  expect(nextStep(schedule, now)).toEqual(step)
})

const good = (id: string) => ({ id, isTaken: true, hasFailed: false, isLost: false })

test('a schedule retains the newest good snapshots and removes failed ones', () => {
  const snapshots = [
    good('one'),
    { ...good('lost'), isLost: true },
    good('two'),
    { ...good('failed'), isTaken: false, hasFailed: true },
    good('three'),
    { ...good('being taken'), isTaken: false },
  ]
  expect(surplusSnapshots(snapshots, 2)).toEqual(['one', 'failed'])
  expect(surplusSnapshots(snapshots, 3)).toEqual(['failed'])
  expect(surplusSnapshots(snapshots, 1)).toEqual(['one', 'two', 'failed'])
})

test('a run is retried for ten minutes after a transient refusal', () => {
  expect([
    shouldRetry('wrong_state', 0),
    shouldRetry('wrong_state', 600_000),
    shouldRetry('quota_exceeded', 0),
  ]).toEqual([true, false, false])
})
