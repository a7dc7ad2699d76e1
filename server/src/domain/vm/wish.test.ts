import { describe, expect, test } from 'vitest'
import { type VmState, vmStates } from './state.ts'
import { type WishKind, runWishes } from './power-verbs.ts'
import {
  type Wished,
  arrivalsIn,
  isPastWishing,
  stateUnder,
  wishKindOf,
  wishKinds,
} from './wish.ts'

const on: Wished = { wantedPower: 'on', runWish: null, runWishUid: null }
const off: Wished = { ...on, wantedPower: 'off' }
const withCommand = (runWish: NonNullable<Wished['runWish']>): Wished => ({
  ...on,
  runWish,
  runWishUid: 'run-1',
})

test.each<[Wished, WishKind]>([
  [on, 'start_vm'],
  [off, 'stop_vm'],
  [{ ...withCommand('pause'), wantedPower: 'off' }, 'stop_vm'],
  ...runWishes.map((verb): [Wished, WishKind] => [withCommand(verb), `${verb}_vm`]),
])('the desired power %j belongs to the operation %s', (desired, kind) => {
  expect(wishKindOf(desired)).toBe(kind)
})

describe('open power operations', () => {
  const completedKinds = (desired: Wished, state: VmState, runUid: string | null = 'run-1') =>
    arrivalsIn(desired, { state, runUid }).map(({ kind }) => kind)

  test('an operation succeeds when the VM is observed in the requested state', () => {
    expect(completedKinds(on, 'Running')).toContain('start_vm')
    expect(completedKinds(off, 'Stopped')).toEqual(['deploy_vm', 'stop_vm'])
    expect(completedKinds(withCommand('pause'), 'Paused')).toEqual(['pause_vm'])
    expect(completedKinds(withCommand('resume'), 'Running')).toContain('resume_vm')
  })

  test('an operation stays open while the VM is in the opposite state', () => {
    expect(completedKinds(off, 'Running')).toEqual([])
    expect(completedKinds(on, 'Stopped')).toEqual([])
    expect(completedKinds(withCommand('pause'), 'Running')).not.toContain('pause_vm')
    expect(completedKinds(withCommand('resume'), 'Paused')).not.toContain('resume_vm')
  })

  test('a restart succeeds only with another VMI', () => {
    expect(completedKinds(withCommand('restart'), 'Running')).not.toContain('restart_vm')
    expect(completedKinds(withCommand('restart'), 'Running', 'run-2')).toContain('restart_vm')
    expect(completedKinds(withCommand('restart'), 'Starting', 'run-2')).toEqual([])
  })

  test('a pause or resume fails once its VMI has ended, but a restart can still succeed', () => {
    for (const runUid of ['run-2', null]) {
      expect(isPastWishing(withCommand('pause'), { runUid })).toBe(true)
      expect(isPastWishing(withCommand('resume'), { runUid })).toBe(true)
      expect(isPastWishing(withCommand('restart'), { runUid })).toBe(false)
      expect(isPastWishing(on, { runUid })).toBe(false)
    }
    expect(isPastWishing(withCommand('pause'), { runUid: 'run-1' })).toBe(false)
  })
})

describe('the state while a power operation is open', () => {
  test.each<{ operation: WishKind | null; state: VmState; counts: VmState }>([
    { operation: null, state: 'Running', counts: 'Running' },
    { operation: 'stop_vm', state: 'Running', counts: 'Stopping' },
    { operation: 'stop_vm', state: 'Starting', counts: 'Stopping' },
    { operation: 'stop_vm', state: 'Error', counts: 'Error' },
    { operation: 'start_vm', state: 'Stopped', counts: 'Starting' },
    { operation: 'start_vm', state: 'Running', counts: 'Running' },
    { operation: 'restart_vm', state: 'Paused', counts: 'Restarting' },
    { operation: 'restart_vm', state: 'Starting', counts: 'Starting' },
    { operation: 'pause_vm', state: 'Running', counts: 'Paused' },
    { operation: 'resume_vm', state: 'Paused', counts: 'Running' },
  ])(
    'a VM in state $state with the operation $operation is reported as $counts',
    ({ operation, state, counts }) => {
      expect(stateUnder(operation, state)).toBe(counts)
    },
  )

  test('an open operation does not change states that a power action cannot end', () => {
    for (const operation of wishKinds)
      for (const state of vmStates.filter((each) =>
        ['Pending', 'Deleting', 'Error', 'Unknown', 'Lost'].includes(each),
      ))
        expect(stateUnder(operation, state)).toBe(state)
  })
})
