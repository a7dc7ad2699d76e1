import { describe, expect, test } from 'vitest'
import { aSeenInstance, aSeenVm } from '../../../../test/support/cluster/observed-vm.ts'
import { type SeenInstance, type SeenVm } from './seen.ts'
import { type AskedVm, printableStatuses, stateOf, type VmState, vmStates } from './state.ts'
import { wireStateOf, wireStates } from './wire-state.ts'

const on: AskedVm = { wantedPower: 'on', deleteRequested: false, clusterUid: 'uid-1' }
const off: AskedVm = { ...on, wantedPower: 'off' }

const why = { reason: 'X', message: null, since: null }
const running = aSeenInstance({ phase: 'Running' })

interface Case {
  asked?: AskedVm
  seen: Partial<SeenVm> | null
  is: VmState
  because: string
}

const cases: readonly Case[] = [
  {
    asked: { ...on, clusterUid: null },
    seen: null,
    is: 'Pending',
    because: 'nothing was made yet',
  },
  { seen: null, is: 'Lost', because: 'it was made, and is not there any more' },
  { seen: { uid: 'another' }, is: 'Lost', because: 'another VM bears the name now' },
  {
    asked: { ...on, deleteRequested: true },
    seen: null,
    is: 'Deleting',
    because: 'gone from the cluster is not yet forgotten',
  },
  {
    asked: { ...on, deleteRequested: true },
    seen: { instance: running },
    is: 'Deleting',
    because: 'the order counts',
  },
  {
    seen: { isDeleting: true, instance: running },
    is: 'Deleting',
    because: 'somebody else deletes it, and we say so',
  },
  { seen: { printableStatus: null }, is: 'Pending', because: 'no status yet is not stopped' },
  {
    asked: off,
    seen: { printableStatus: null },
    is: 'Pending',
    because: 'no status yet is not stopped either way',
  },
  { seen: { printableStatus: 'Running', instance: running }, is: 'Running', because: 'both agree' },
  {
    seen: { printableStatus: 'Starting', instance: running },
    is: 'Running',
    because: 'the instance is ahead of the summary',
  },
  {
    seen: { printableStatus: 'Running', instance: null },
    is: 'Stopping',
    because: 'it ran, and nothing runs any more',
  },
  {
    seen: { printableStatus: 'Running', instance: aSeenInstance({ phase: 'Scheduling' }) },
    is: 'Starting',
    because: 'a new run',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, nodeLost: true } },
    is: 'Unknown',
    because: 'nobody sees the guest',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, phase: 'Unknown' } },
    is: 'Unknown',
    because: 'the cluster says so',
  },
  {
    seen: { printableStatus: 'Shiny', instance: running },
    is: 'Unknown',
    because: 'a newer cluster may mean anything by it',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, phase: 'Shiny' } },
    is: 'Unknown',
    because: 'likewise',
  },
  {
    seen: { printableStatus: 'Paused', instance: { ...running, paused: why } },
    is: 'Paused',
    because: 'the guest holds still',
  },
  {
    seen: { printableStatus: 'Migrating', instance: { ...running, isMigrating: true } },
    is: 'Migrating',
    because: 'it moves',
  },
  {
    asked: off,
    seen: { printableStatus: 'Running', instance: running },
    is: 'Stopping',
    because: 'the order is given',
  },
  {
    seen: {
      printableStatus: 'Running',
      instance: { ...running, notReady: { ...why, reason: 'PodTerminating' } },
    },
    is: 'Stopping',
    because: 'what it runs in is taken away, though nobody asked for that here',
  },
  {
    seen: {
      printableStatus: 'Paused',
      instance: { ...running, paused: why, notReady: { ...why, reason: 'PodTerminating' } },
    },
    is: 'Stopping',
    because: 'standing still saves nobody from that',
  },
  {
    seen: { printableStatus: 'Stopping', instance: { ...running, isDeleting: true } },
    is: 'Stopping',
    because: 'stopped by somebody',
  },
  {
    seen: {
      printableStatus: 'Stopping',
      instance: { ...running, isDeleting: true },
      queued: ['stop', 'start'],
    },
    is: 'Restarting',
    because: 'a start waits in line',
  },
  {
    seen: {
      printableStatus: 'Stopped',
      instance: { ...running, phase: 'Succeeded' },
      queued: ['start'],
    },
    is: 'Restarting',
    because: 'the old run has ended and the new one comes',
  },
  {
    seen: { printableStatus: 'Stopped', queued: ['start'] },
    is: 'Starting',
    because: 'a plain start waits',
  },
  {
    seen: { printableStatus: 'Stopped', followedRunStrategy: null },
    is: 'Starting',
    because: 'the first start is to come',
  },
  {
    seen: { printableStatus: 'Stopped', runStrategy: 'Halted' },
    is: 'Starting',
    because: 'our order has not arrived yet',
  },
  {
    seen: { printableStatus: 'Stopped' },
    is: 'Stopped',
    because: 'the guest shut itself down, and that stays so',
  },
  {
    seen: { printableStatus: 'Stopped', instance: { ...running, phase: 'Succeeded' } },
    is: 'Stopped',
    because: 'the guest has just shut itself down',
  },
  {
    seen: { printableStatus: 'Running', instance: { ...running, phase: 'Failed' } },
    is: 'Error',
    because: 'it broke off, and a new try is to come',
  },
  {
    asked: off,
    seen: {
      printableStatus: 'Stopped',
      runStrategy: 'Halted',
      instance: { ...running, phase: 'Failed' },
    },
    is: 'Stopped',
    because: 'a guest that ignored the order was switched off',
  },
  {
    seen: {
      printableStatus: 'Stopped',
      conditions: { failure: why, restartRequired: null, manualRecovery: null },
    },
    is: 'Error',
    because: 'the cluster refused the start, although it calls that Stopped',
  },
  {
    seen: {
      printableStatus: 'Starting',
      instance: aSeenInstance({
        phase: 'Pending',
        notSynchronized: { ...why, reason: 'FailedCreate' },
      }),
    },
    is: 'Error',
    because: 'what should run may not be made, and the cluster calls that Starting for ever',
  },
  {
    seen: {
      printableStatus: 'Starting',
      instance: aSeenInstance({ phase: 'Pending', notSynchronized: why }),
    },
    is: 'Starting',
    because: 'the host tries again by itself',
  },
  {
    asked: off,
    seen: { printableStatus: 'Provisioning' },
    is: 'Provisioning',
    because: 'disks are filled while it is off',
  },
  {
    asked: off,
    seen: { printableStatus: 'DataVolumeError' },
    is: 'Error',
    because: 'it could not be started',
  },
  {
    asked: off,
    seen: { printableStatus: 'CrashLoopBackOff' },
    is: 'Stopped',
    because: 'nobody wants it to start',
  },
  {
    asked: off,
    seen: {
      printableStatus: 'ErrorUnschedulable',
      instance: aSeenInstance({ phase: 'Scheduling', isDeleting: true }),
    },
    is: 'Stopping',
    because: 'the summary flickers while it goes',
  },
]

test.each(cases)('$is, because $because', ({ asked = on, seen, is }) => {
  expect(stateOf(asked, seen && aSeenVm(seen))).toBe(is)
})

/* Over everything that a cluster can say times everything that can be asked. */
const statuses = [...printableStatuses, null, 'FromTheFuture']
const phases = [
  'Pending',
  'Scheduling',
  'Scheduled',
  'Running',
  'Succeeded',
  'Failed',
  'WaitingForSync',
  'Unknown',
  null,
  'FromTheFuture',
]
const instances: readonly (SeenInstance | null)[] = [
  null,
  ...phases.flatMap((phase) => [
    aSeenInstance({ phase }),
    aSeenInstance({ phase, isDeleting: true }),
    aSeenInstance({ phase, nodeLost: true }),
  ]),
]
const asks: readonly AskedVm[] = (['on', 'off'] as const).flatMap((wantedPower) =>
  [null, 'uid-1', 'another'].flatMap((clusterUid) =>
    [true, false].map((deleteRequested) => ({ wantedPower, clusterUid, deleteRequested })),
  ),
)
const strategies = ['RerunOnFailure', 'Halted', 'Always', 'Manual']
const everything = asks.flatMap((asked) =>
  statuses.flatMap((printableStatus) =>
    instances.flatMap((instance) =>
      strategies.map((runStrategy) => ({
        asked,
        seen: aSeenVm({ printableStatus, instance, runStrategy }),
      })),
    ),
  ),
)

describe('over the whole product of what can be asked and seen', () => {
  const all = everything.map(({ asked, seen }) => ({ asked, seen, state: stateOf(asked, seen) }))
  const only = (is: VmState) => all.filter(({ state }) => state === is)

  test('there is a state, and each state occurs', () => {
    const states = new Set(all.map(({ state }) => state))
    // What nothing of the product has: nothing seen, a pause, a move, a queue; they stand in the
    // cases above.
    const elsewhere: VmState[] = ['Paused', 'Migrating', 'Restarting']
    expect([...states, ...elsewhere].sort()).toEqual([...vmStates].sort())
  })

  test('a running VM is one whose instance runs, on a host that answers, and that is wanted', () => {
    for (const { asked, seen } of only('Running')) {
      expect(seen.instance).toMatchObject({ phase: 'Running', nodeLost: false, isDeleting: false })
      expect(asked.wantedPower).toBe('on')
      expect(seen.printableStatus).not.toMatch(/Unknown|FromTheFuture/)
    }
    expect(only('Running').length).toBeGreaterThan(0)
  })

  test('words that nobody knows are Unknown, unless the VM goes or is lost', () => {
    const strange = all.filter(
      ({ seen }) => seen.printableStatus === 'FromTheFuture' && !seen.queued.length,
    )
    const settled: VmState[] = ['Deleting', 'Lost', 'Unknown', 'Stopping']
    expect(strange.filter(({ state }) => !settled.includes(state))).toEqual([])
    const strangePhase = all.filter(({ seen }) =>
      ['FromTheFuture', 'Unknown'].includes(seen.instance?.phase ?? ''),
    )
    expect(
      strangePhase.filter(({ state }) => !['Deleting', 'Lost', 'Unknown'].includes(state)),
    ).toEqual([])
  })

  test('stopped means that nothing runs', () => {
    for (const { seen } of only('Stopped'))
      expect(['Succeeded', 'Failed', undefined]).toContain(seen.instance?.phase)
  })

  test('lost needs that it was there once', () => {
    for (const { asked, seen } of only('Lost')) expect(asked.clusterUid).not.toBe(seen.uid)
  })
})

test('each state has a word on the older wire, and each of its words is used', () => {
  expect(Object.keys(wireStateOf)).toEqual([...vmStates])
  expect([...new Set(Object.values(wireStateOf))].sort()).toEqual([...wireStates].sort())
})
