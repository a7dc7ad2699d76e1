import { describe, expect, test } from 'vitest'
import { anObservedVmi, anObservedVm } from '../../../../test/support/cluster/observed-vm.ts'
import { messageOf } from '../../engine/model/message.ts'
import { type ObservedVmi, type ObservedVm } from './observed.ts'
import { type DesiredVm, printableStatuses, stateOf, type VmState, vmStates } from './state.ts'

const on: DesiredVm = {
  wantedPower: 'on',
  deleteRequested: false,
  clusterUid: 'uid-1',
  dedicatedCpu: false,
  failure: null,
}
const off: DesiredVm = { ...on, wantedPower: 'off' }
const failed: DesiredVm = { ...on, failure: messageOf('operation.deadline') }

const reason = { reason: 'X', message: null, since: null }
const running = anObservedVmi({ phase: 'Running' })

interface Case {
  desired?: DesiredVm
  observed: Partial<ObservedVm> | null
  is: VmState
  because: string
}

const cases: readonly Case[] = [
  {
    desired: { ...on, clusterUid: null },
    observed: null,
    is: 'Pending',
    because: 'no object was created yet',
  },
  { observed: null, is: 'Lost', because: 'the created VM object is gone' },
  { observed: { uid: 'another' }, is: 'Lost', because: 'another VM has the name now' },
  {
    desired: { ...failed, clusterUid: null },
    observed: null,
    is: 'Failed',
    because: 'its deploy failed before the object was created',
  },
  {
    desired: failed,
    observed: { printableStatus: 'Provisioning' },
    is: 'Failed',
    because: 'its deploy failed and its disks are not ready',
  },
  {
    desired: failed,
    observed: { printableStatus: 'Running', vmi: running },
    is: 'Running',
    because: 'it runs after all, although its deploy failed',
  },
  { desired: failed, observed: null, is: 'Lost', because: 'it existed, and its deploy failed' },
  {
    desired: { ...failed, deleteRequested: true },
    observed: null,
    is: 'Deleting',
    because: 'the deletion counts after a failed deploy',
  },
  {
    desired: { ...on, deleteRequested: true },
    observed: null,
    is: 'Deleting',
    because: 'the VM is gone from the cluster but still has its row',
  },
  {
    desired: { ...on, deleteRequested: true },
    observed: { vmi: running },
    is: 'Deleting',
    because: 'the requested deletion counts',
  },
  {
    observed: { isDeleting: true, vmi: running },
    is: 'Deleting',
    because: 'another client deletes the VM object',
  },
  {
    observed: { printableStatus: null },
    is: 'Pending',
    because: 'a missing status does not mean stopped',
  },
  {
    desired: off,
    observed: { printableStatus: null },
    is: 'Pending',
    because: 'a missing status does not mean stopped when the VM is off either',
  },
  {
    observed: { printableStatus: 'Running', vmi: running },
    is: 'Running',
    because: 'the VM and its VMI agree',
  },
  {
    observed: { printableStatus: 'Starting', vmi: running },
    is: 'Running',
    because: 'the VMI is ahead of the printable status',
  },
  {
    observed: { printableStatus: 'Running', vmi: null },
    is: 'Stopping',
    because: 'the VMI is gone',
  },
  {
    observed: { printableStatus: 'Running', vmi: anObservedVmi({ phase: 'Scheduling' }) },
    is: 'Starting',
    because: 'there is a new VMI',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, nodeLost: true } },
    is: 'Unknown',
    because: 'the node does not answer',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, phase: 'Unknown' } },
    is: 'Unknown',
    because: 'the phase is Unknown',
  },
  {
    observed: { printableStatus: 'Shiny', vmi: running },
    is: 'Unknown',
    because: 'the printable status is not known to Berth',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, phase: 'Shiny' } },
    is: 'Unknown',
    because: 'the phase is not known to Berth',
  },
  {
    observed: { printableStatus: 'Paused', vmi: { ...running, paused: reason } },
    is: 'Paused',
    because: 'the guest is paused',
  },
  {
    observed: { printableStatus: 'Migrating', vmi: { ...running, isMigrating: true } },
    is: 'Migrating',
    because: 'the VMI is being migrated',
  },
  {
    desired: off,
    observed: { printableStatus: 'Running', vmi: running },
    is: 'Stopping',
    because: 'the desired power is off',
  },
  {
    observed: {
      printableStatus: 'Running',
      vmi: { ...running, notReady: { ...reason, reason: 'PodTerminating' } },
    },
    is: 'Stopping',
    because: 'the launcher pod is deleted without a request',
  },
  {
    observed: {
      printableStatus: 'Paused',
      vmi: { ...running, paused: reason, notReady: { ...reason, reason: 'PodTerminating' } },
    },
    is: 'Stopping',
    because: 'the launcher pod of a paused VM is deleted',
  },
  {
    observed: { printableStatus: 'Stopping', vmi: { ...running, isDeleting: true } },
    is: 'Stopping',
    because: 'another client stops the VM',
  },
  {
    observed: {
      printableStatus: 'Stopping',
      vmi: { ...running, isDeleting: true },
      queued: ['stop', 'start'],
    },
    is: 'Restarting',
    because: 'a start request is queued',
  },
  {
    observed: {
      printableStatus: 'Stopped',
      vmi: { ...running, phase: 'Succeeded' },
      queued: ['start'],
    },
    is: 'Restarting',
    because: 'the old VMI has ended and a start request is queued',
  },
  {
    observed: { printableStatus: 'Stopped', queued: ['start'] },
    is: 'Starting',
    because: 'only a start request is queued',
  },
  {
    observed: { printableStatus: 'Stopped', followedRunStrategy: null },
    is: 'Starting',
    because: 'the first start is pending',
  },
  {
    observed: { printableStatus: 'Stopped', runStrategy: 'Halted' },
    is: 'Starting',
    because: 'the spec does not have the desired power yet',
  },
  {
    observed: { printableStatus: 'Stopped' },
    is: 'Stopped',
    because: 'a guest that shut itself down stays off',
  },
  {
    observed: { printableStatus: 'Stopped', vmi: { ...running, phase: 'Succeeded' } },
    is: 'Stopped',
    because: 'the guest has just shut itself down',
  },
  {
    observed: { printableStatus: 'Running', vmi: { ...running, phase: 'Failed' } },
    is: 'Error',
    because: 'the VMI failed, and another try follows',
  },
  {
    desired: off,
    observed: {
      printableStatus: 'Stopped',
      runStrategy: 'Halted',
      vmi: { ...running, phase: 'Failed' },
    },
    is: 'Stopped',
    because: 'a guest that ignored the shutdown was switched off',
  },
  {
    observed: {
      printableStatus: 'Stopped',
      conditions: { failure: reason, restartRequired: null, manualRecovery: null },
    },
    is: 'Error',
    because: 'the cluster refused the start and reports Stopped',
  },
  {
    observed: {
      printableStatus: 'Starting',
      vmi: anObservedVmi({
        phase: 'Pending',
        notSynchronized: { ...reason, reason: 'FailedCreate' },
      }),
    },
    is: 'Error',
    because: 'the launcher cannot be created, and the cluster reports Starting forever',
  },
  {
    observed: {
      printableStatus: 'Starting',
      vmi: anObservedVmi({ phase: 'Pending', notSynchronized: reason }),
    },
    is: 'Starting',
    because: 'the node retries by itself',
  },
  {
    desired: off,
    observed: { printableStatus: 'Provisioning' },
    is: 'Provisioning',
    because: 'disks are filled while the VM is off',
  },
  {
    desired: off,
    observed: { printableStatus: 'DataVolumeError' },
    is: 'Error',
    because: 'a disk could not be filled',
  },
  {
    desired: off,
    observed: { printableStatus: 'CrashLoopBackOff' },
    is: 'Stopped',
    because: 'the desired power is off',
  },
  {
    desired: off,
    observed: {
      printableStatus: 'ErrorUnschedulable',
      vmi: anObservedVmi({ phase: 'Scheduling', isDeleting: true }),
    },
    is: 'Stopping',
    because: 'the printable status is stale while the VMI is being deleted',
  },
]

test.each(cases)('a VM is $is, because $because', ({ desired = on, observed, is }) => {
  expect(stateOf(desired, observed && anObservedVm(observed))).toBe(is)
})

/* All values that a cluster can report, combined with all desired states. */
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
const instances: readonly (ObservedVmi | null)[] = [
  null,
  ...phases.flatMap((phase) => [
    anObservedVmi({ phase }),
    anObservedVmi({ phase, isDeleting: true }),
    anObservedVmi({ phase, nodeLost: true }),
  ]),
]
const desiredStates: readonly DesiredVm[] = (['on', 'off'] as const).flatMap((wantedPower) =>
  [null, 'uid-1', 'another'].flatMap((clusterUid) =>
    [true, false].map((deleteRequested) => ({
      wantedPower,
      clusterUid,
      deleteRequested,
      dedicatedCpu: false,
      failure: null,
    })),
  ),
)
const strategies = ['RerunOnFailure', 'Halted', 'Always', 'Manual']
const product = desiredStates.flatMap((desired) =>
  statuses.flatMap((printableStatus) =>
    instances.flatMap((instance) =>
      strategies.map((runStrategy) => ({
        desired,
        observed: anObservedVm({ printableStatus, vmi: instance, runStrategy }),
      })),
    ),
  ),
)

describe('all combinations of desired and observed state', () => {
  const all = product.map(({ desired, observed }) => ({
    desired,
    observed,
    state: stateOf(desired, observed),
  }))
  const only = (is: VmState) => all.filter(({ state }) => state === is)

  test('all states occur in the product or in the cases', () => {
    const states = new Set(all.map(({ state }) => state))
    // The product has no missing VM, no pause, no migration, no queue and no failed deploy; the
    // cases above cover them.
    const elsewhere: VmState[] = ['Paused', 'Migrating', 'Restarting', 'Failed']
    expect([...states, ...elsewhere].sort()).toEqual([...vmStates].sort())
  })

  test('a running VM has desired power on and a running VMI on a node that answers', () => {
    for (const { desired, observed } of only('Running')) {
      expect(observed.vmi).toMatchObject({
        phase: 'Running',
        nodeLost: false,
        isDeleting: false,
      })
      expect(desired.wantedPower).toBe('on')
      expect(observed.printableStatus).not.toMatch(/Unknown|FromTheFuture/)
    }
    expect(only('Running').length).toBeGreaterThan(0)
  })

  test('a VM with an unknown status or phase is Unknown, unless it stops, is deleted or is lost', () => {
    const strange = all.filter(
      ({ observed }) => observed.printableStatus === 'FromTheFuture' && !observed.queued.length,
    )
    const settled: VmState[] = ['Deleting', 'Lost', 'Unknown', 'Stopping']
    expect(strange.filter(({ state }) => !settled.includes(state))).toEqual([])
    const strangePhase = all.filter(({ observed }) =>
      ['FromTheFuture', 'Unknown'].includes(observed.vmi?.phase ?? ''),
    )
    expect(
      strangePhase.filter(({ state }) => !['Deleting', 'Lost', 'Unknown'].includes(state)),
    ).toEqual([])
  })

  test('a stopped VM has no live VMI', () => {
    for (const { observed } of only('Stopped'))
      expect(['Succeeded', 'Failed', undefined]).toContain(observed.vmi?.phase)
  })

  test('a lost VM was created before', () => {
    for (const { desired, observed } of only('Lost'))
      expect(desired.clusterUid).not.toBe(observed.uid)
  })
})
