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
const of = (runWish: NonNullable<Wished['runWish']>): Wished => ({
  ...on,
  runWish,
  runWishUid: 'run-1',
})

test.each<[Wished, WishKind]>([
  [on, 'start_vm'],
  [off, 'stop_vm'],
  [{ ...of('pause'), wantedPower: 'off' }, 'stop_vm'],
  ...runWishes.map((verb): [Wished, WishKind] => [of(verb), `${verb}_vm`]),
])('one operation stands for what is wished: %j is %s', (wished, kind) => {
  expect(wishKindOf(wished)).toBe(kind)
})

describe('what was promised', () => {
  const kinds = (wished: Wished, state: VmState, runUid: string | null = 'run-1') =>
    arrivalsIn(wished, { state, runUid }).map(({ kind }) => kind)

  test('has come about when the VM is seen as it was wished', () => {
    expect(kinds(on, 'Running')).toContain('start_vm')
    expect(kinds(off, 'Stopped')).toEqual(['deploy_vm', 'stop_vm'])
    expect(kinds(of('pause'), 'Paused')).toEqual(['pause_vm'])
    expect(kinds(of('resume'), 'Running')).toContain('resume_vm')
  })

  test('has not where it is seen as the opposite', () => {
    expect(kinds(off, 'Running')).toEqual([])
    expect(kinds(on, 'Stopped')).toEqual([])
    expect(kinds(of('pause'), 'Running')).not.toContain('pause_vm')
    expect(kinds(of('resume'), 'Paused')).not.toContain('resume_vm')
  })

  test('of a restart has come about with another run, and not before', () => {
    expect(kinds(of('restart'), 'Running')).not.toContain('restart_vm')
    expect(kinds(of('restart'), 'Running', 'run-2')).toContain('restart_vm')
    expect(kinds(of('restart'), 'Starting', 'run-2')).toEqual([])
  })

  test('of a run cannot come about once that is over; a restart still can', () => {
    for (const runUid of ['run-2', null]) {
      expect(isPastWishing(of('pause'), { runUid })).toBe(true)
      expect(isPastWishing(of('resume'), { runUid })).toBe(true)
      expect(isPastWishing(of('restart'), { runUid })).toBe(false)
      expect(isPastWishing(on, { runUid })).toBe(false)
    }
    expect(isPastWishing(of('pause'), { runUid: 'run-1' })).toBe(false)
  })
})

describe('a wish that was accepted counts before it is seen', () => {
  test.each<{ wish: WishKind | null; state: VmState; counts: VmState }>([
    { wish: null, state: 'Running', counts: 'Running' },
    { wish: 'stop_vm', state: 'Running', counts: 'Stopping' },
    { wish: 'stop_vm', state: 'Starting', counts: 'Stopping' },
    { wish: 'stop_vm', state: 'Error', counts: 'Error' },
    { wish: 'start_vm', state: 'Stopped', counts: 'Starting' },
    { wish: 'start_vm', state: 'Running', counts: 'Running' },
    { wish: 'restart_vm', state: 'Paused', counts: 'Restarting' },
    { wish: 'restart_vm', state: 'Starting', counts: 'Starting' },
    { wish: 'pause_vm', state: 'Running', counts: 'Paused' },
    { wish: 'resume_vm', state: 'Paused', counts: 'Running' },
  ])('$wish of a VM that is $state', ({ wish, state, counts }) => {
    expect(stateUnder(wish, state)).toBe(counts)
  })

  test('and says nothing of what nobody can wish away', () => {
    for (const wish of wishKinds)
      for (const state of vmStates.filter((each) =>
        ['Pending', 'Deleting', 'Error', 'Unknown', 'Lost'].includes(each),
      ))
        expect(stateUnder(wish, state)).toBe(state)
  })
})
