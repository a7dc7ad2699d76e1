import { describe, expect, test } from 'vitest'
import { explain } from './explain.ts'
import { isAttached, isHeld } from './holder.ts'
import { nextStep } from './next-step.ts'
import { type ObservedHolder } from './observed.ts'
import { type DesiredVolume, type ObservedVolume, stateOf } from './state.ts'

const gibibyte = 2 ** 30

const desired = (change: Partial<DesiredVolume> = {}): DesiredVolume => ({
  rowId: 'row',
  deleteRequested: false,
  hasFailed: false,
  isGone: false,
  clusterUid: 'dv-1',
  vmId: null,
  sizeGi: 2,
  grownGi: 2,
  bytesPerGi: gibibyte,
  ...change,
})

const condition = { isTrue: true, reason: '', message: '' }
const filling = {
  uid: 'dv-1',
  rowId: 'row',
  isDeleting: false,
  phase: 'Succeeded',
  percent: null,
  restarts: 0,
  bound: condition,
  running: condition,
}
const claim = {
  uid: 'pvc-1',
  version: '7',
  rowId: 'row',
  isDeleting: false,
  phase: 'Bound',
  requestedBytes: 2 * gibibyte,
  capacityBytes: 2 * gibibyte,
}
const observed = (change: Partial<ObservedVolume> = {}): ObservedVolume => ({
  dataVolume: filling,
  claim,
  holder: null,
  ...change,
})

type Case = [
  expected: string,
  row: Partial<DesiredVolume>,
  cluster: Partial<ObservedVolume>,
  because: string,
]

const held = (run: ObservedHolder['vmiState'], isDescribed = true): ObservedHolder => ({
  isInSpec: isDescribed,
  vmiState: run,
})

describe('the state of a volume', () => {
  test.each<Case>([
    ['ready', {}, {}, 'the volume exists and is in no VM'],
    [
      'creating',
      { clusterUid: null, grownGi: null },
      { dataVolume: null, claim: null },
      'no object is created yet',
    ],
    ['creating', { grownGi: null }, {}, 'its DataVolume is being filled'],
    ['attaching', { vmId: 'vm' }, {}, 'the VM does not exist, or its spec lacks the disk'],
    ['attaching', { vmId: 'vm' }, { holder: held('coming') }, 'the guest does not have the disk'],
    ['attached', { vmId: 'vm' }, { holder: held('there') }, 'the guest has the disk'],
    ['attached', { vmId: 'vm' }, { holder: held('off') }, 'the VM gets it when it starts'],
    ['attached', { vmId: 'vm' }, { holder: held('starting') }, 'the VM is starting with it'],
    ['attaching', { vmId: 'vm' }, { holder: held('off', false) }, 'the VM spec lacks it'],
    ['detaching', {}, { holder: held('there') }, 'the VM spec still has it'],
    ['detaching', {}, { holder: held('leaving', false) }, 'the guest has not released it'],
    ['ready', {}, { holder: held('without', false) }, 'the guest has released it'],
    ['resizing', { sizeGi: 3 }, {}, 'it is smaller than requested'],
    ['resizing', { sizeGi: 3, vmId: 'vm' }, { holder: held('there') }, 'it grows in its VM'],
    ['lost', {}, { dataVolume: null }, 'the DataVolume was deleted by hand'],
    ['lost', {}, { claim: null }, 'the claim was deleted by hand'],
    ['lost', {}, { claim: { ...claim, phase: 'Lost' } }, 'its storage is gone'],
    ['lost', {}, { dataVolume: { ...filling, uid: 'dv-2' } }, 'another DataVolume has its name'],
    ['failed', { hasFailed: true, grownGi: null }, {}, 'creation was given up'],
    [
      'deleting',
      { deleteRequested: true, vmId: 'vm' },
      {},
      'deletion has priority over all other states',
    ],
  ])('a volume is %s for row %j and cluster %j, because %s', (...[state, row, cluster]) => {
    expect(stateOf(desired(row), observed(cluster))).toBe(state)
  })

  test('a volume that waits for its first consumer is ready and has an explanation, unlike a bound one', () => {
    const waiting = observed({ claim: { ...claim, phase: 'Pending', capacityBytes: null } })
    expect(stateOf(desired(), waiting)).toBe('ready')
    expect(explain(desired(), waiting)).toMatchObject({ code: 'first_use', whoCanFix: 'nobody' })
    expect(explain(desired(), observed())).toBeNull()
  })

  test.each([
    ['quota_exceeded', 'ErrExceededQuota', 'exceeded quota: all, requested: requests.storage=1Gi'],
    ['class_unusable', 'ErrClaimNotValid', 'no accessMode'],
    ['storage_slow', 'ProvisioningFailed', 'no room'],
  ])('a volume that cannot be provisioned has the explanation %s', (code, reason, message) => {
    const stuck = observed({
      dataVolume: { ...filling, phase: 'Pending', bound: { isTrue: false, reason, message } },
    })
    expect(explain(desired({ grownGi: null }), stuck)).toMatchObject({ code })
  })

  test('a VM holds a volume while its VMI may write to it, and an attachment is complete only in the guest', () => {
    const runs = ['off', 'starting', 'without', 'coming', 'there', 'leaving'] as const
    expect(runs.filter((run) => isHeld(held(run, false)))).toEqual([
      'starting',
      'coming',
      'there',
      'leaving',
    ])
    expect(runs.filter((run) => isAttached(held(run)))).toEqual(['off', 'there'])
    expect([isHeld(null), isAttached(null), isAttached(held('there', false))]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('the next step of a volume', () => {
  test.each<Case>([
    [
      'applyVolume',
      { clusterUid: null, grownGi: null },
      { dataVolume: null, claim: null },
      'no object exists',
    ],
    [
      'applyVolume',
      { clusterUid: null, grownGi: null },
      {},
      'a crashed reconcile may have created it',
    ],
    [
      'wait',
      { clusterUid: null, grownGi: null },
      { dataVolume: { ...filling, isDeleting: true } },
      'an old object with the name is being deleted',
    ],
    [
      'fail',
      { clusterUid: null, grownGi: null },
      { dataVolume: { ...filling, rowId: null } },
      'another owner has a DataVolume with the name',
    ],
    [
      'fail',
      { clusterUid: null, grownGi: null },
      { dataVolume: null, claim: { ...claim, rowId: 'other' } },
      'another owner has a claim with the name',
    ],
    ['open', { grownGi: null }, {}, 'the DataVolume is filled'],
    [
      'open',
      { grownGi: null },
      { dataVolume: { ...filling, phase: 'PendingPopulation' } },
      'it only waits for its first consumer',
    ],
    [
      'observe',
      { grownGi: null },
      { dataVolume: { ...filling, phase: 'ImportInProgress' } },
      'the DataVolume is being filled',
    ],
    [
      'fail',
      { grownGi: null },
      { dataVolume: { ...filling, phase: 'Failed' } },
      'the DataVolume has failed',
    ],
    ['grow', { sizeGi: 3 }, {}, 'the claim does not request the new size yet'],
    [
      'observe',
      { sizeGi: 3 },
      { claim: { ...claim, requestedBytes: 3 * gibibyte } },
      'the claim has not grown yet',
    ],
    [
      'recordGrown',
      { sizeGi: 3 },
      { claim: { ...claim, requestedBytes: 3 * gibibyte, capacityBytes: 3 * gibibyte } },
      'the claim has grown',
    ],
    ['observe', {}, { claim: null, dataVolume: null }, 'a lost volume is never recreated'],
    ['removeVolume', { deleteRequested: true }, {}, 'deletion was requested'],
    ['wait', { deleteRequested: true }, { dataVolume: null }, 'the claim still exists'],
    ['erase', { deleteRequested: true }, { dataVolume: null, claim: null }, 'no object is left'],
    [
      'erase',
      { deleteRequested: true },
      { dataVolume: { ...filling, rowId: 'other' }, claim: null },
      'the object has another owner',
    ],
    ['removeVolume', { isGone: true }, {}, 'a stale worker created it after the deletion'],
    ['nothing', { isGone: true }, { dataVolume: null, claim: null }, 'the volume is deleted'],
    ['open', { hasFailed: true, grownGi: null }, {}, 'a failed volume exists after all'],
    [
      'observe',
      { hasFailed: true, grownGi: null },
      { dataVolume: { ...filling, phase: 'Failed' } },
      'the objects of a failed volume stay',
    ],
    [
      'observe',
      { hasFailed: true, grownGi: null, clusterUid: null },
      { dataVolume: null, claim: null },
      'a failed volume is not created again',
    ],
    ['removeVolume', { hasFailed: true, deleteRequested: true }, {}, 'a failed volume is deleted'],
  ])('the next step is %s for row %j and cluster %j, because %s', (...[step, row, cluster]) => {
    expect(nextStep(desired(row), observed(cluster)).do).toBe(step)
  })

  test('a resize requests extra bytes for the file system overhead', () => {
    const small = observed({ claim: { ...claim, requestedBytes: 2.12 * gibibyte } })
    expect(nextStep(desired({ sizeGi: 4, bytesPerGi: 1.06 * gibibyte }), small)).toEqual({
      do: 'grow',
      uid: 'pvc-1',
      bytes: Math.ceil(4 * 1.06 * gibibyte),
    })
  })
})
