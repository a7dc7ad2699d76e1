import { expect, test } from 'vitest'
import { isWorthWaiting, nextStep, surplusOf } from './next-step.ts'

const now = 1_000

test.each([
  [
    { isActive: true, dueMs: 1_000, run: null },
    { do: 'take', dueMs: 1_000 },
    'what is due is taken',
  ],
  [{ isActive: true, dueMs: 5, run: null }, { do: 'take', dueMs: 5 }, 'also where it was missed'],
  [
    { isActive: true, dueMs: 1_001, run: null },
    { do: 'sleep', dueMs: 1_001 },
    'nothing is taken early',
  ],
  [{ isActive: false, dueMs: 5, run: null }, { do: 'rest' }, 'one that is paused takes nothing'],
  [{ isActive: true, dueMs: null, run: null }, { do: 'rest' }, 'one that is never due again'],
  [{ isActive: true, dueMs: 5, run: 'under_way' }, { do: 'wait' }, 'one run after the other'],
  [
    { isActive: false, dueMs: 5, run: 'taken' },
    { do: 'settle', as: 'taken' },
    'what was begun is settled, also when it is paused',
  ],
] as const)('the next step of %o is %o: %s', (asked, step, _because) => {
  expect(nextStep(asked, now)).toEqual(step)
})

const good = (id: string) => ({ id, isTaken: true, hasFailed: false, isLost: false })

test('only good ones count for what is kept, and what failed is removed beside them', () => {
  const made = [
    good('one'),
    { ...good('lost'), isLost: true },
    good('two'),
    { ...good('failed'), isTaken: false, hasFailed: true },
    good('three'),
    { ...good('being taken'), isTaken: false },
  ]
  expect(surplusOf(made, 2)).toEqual(['one', 'failed'])
  expect(surplusOf(made, 3)).toEqual(['failed'])
  expect(surplusOf(made, 1)).toEqual(['one', 'two', 'failed'])
})

test('what passes by itself is waited for, for ten minutes', () => {
  expect([
    isWorthWaiting('wrong_state', 0),
    isWorthWaiting('wrong_state', 600_000),
    isWorthWaiting('quota_exceeded', 0),
  ]).toEqual([true, false, false])
})
