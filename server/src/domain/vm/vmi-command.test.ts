import { describe, expect, test } from 'vitest'
import { type VmState, vmStates } from './state.ts'
import { type PowerOperationKind, vmiCommands } from './power-verbs.ts'
import {
  type DesiredPower,
  completedOperations,
  hasCommandExpired,
  stateDuring,
  desiredOperationKind,
  powerOperationKinds,
} from './vmi-command.ts'

const on: DesiredPower = { wantedPower: 'on', vmiCommand: null, vmiCommandUid: null }
const off: DesiredPower = { ...on, wantedPower: 'off' }
const withCommand = (vmiCommand: NonNullable<DesiredPower['vmiCommand']>): DesiredPower => ({
  ...on,
  vmiCommand,
  vmiCommandUid: 'run-1',
})

test.each<[DesiredPower, PowerOperationKind]>([
  [on, 'start_vm'],
  [off, 'stop_vm'],
  [{ ...withCommand('pause'), wantedPower: 'off' }, 'stop_vm'],
  ...vmiCommands.map((verb): [DesiredPower, PowerOperationKind] => [
    withCommand(verb),
    `${verb}_vm`,
  ]),
])('the desired power %j belongs to the operation %s', (desired, kind) => {
  expect(desiredOperationKind(desired)).toBe(kind)
})

describe('open power operations', () => {
  const completedKinds = (desired: DesiredPower, state: VmState, vmiUid: string | null = 'run-1') =>
    completedOperations(desired, { state, vmiUid }).map(({ kind }) => kind)

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
    for (const vmiUid of ['run-2', null]) {
      expect(hasCommandExpired(withCommand('pause'), { vmiUid })).toBe(true)
      expect(hasCommandExpired(withCommand('resume'), { vmiUid })).toBe(true)
      expect(hasCommandExpired(withCommand('restart'), { vmiUid })).toBe(false)
      expect(hasCommandExpired(on, { vmiUid })).toBe(false)
    }
    expect(hasCommandExpired(withCommand('pause'), { vmiUid: 'run-1' })).toBe(false)
  })
})

describe('the state while a power operation is open', () => {
  test.each<{ operation: PowerOperationKind | null; state: VmState; counts: VmState }>([
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
      expect(stateDuring(operation, state)).toBe(counts)
    },
  )

  test('an open operation does not change states that a power action cannot end', () => {
    for (const operation of powerOperationKinds)
      for (const state of vmStates.filter((each) =>
        ['Pending', 'Deleting', 'Error', 'Unknown', 'Lost'].includes(each),
      ))
        expect(stateDuring(operation, state)).toBe(state)
  })
})
