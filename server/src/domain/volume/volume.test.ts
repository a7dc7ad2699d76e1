import { describe, expect, test } from 'vitest'
import { explain } from './explain.ts'
import { hasArrived, isHeld } from './holder.ts'
import { nextStep } from './next-step.ts'
import { type SeenHolder } from './seen.ts'
import { type AskedVolume, type SeenVolume, stateOf } from './state.ts'

const gibibyte = 2 ** 30

const asked = (different: Partial<AskedVolume> = {}): AskedVolume => ({
  rowId: 'row',
  deleteRequested: false,
  hasFailed: false,
  isGone: false,
  clusterUid: 'dv-1',
  vmId: null,
  sizeGi: 2,
  grownGi: 2,
  bytesPerGi: gibibyte,
  ...different,
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
const seen = (different: Partial<SeenVolume> = {}): SeenVolume => ({
  filling,
  claim,
  holder: null,
  ...different,
})

type Case = [
  expected: string,
  row: Partial<AskedVolume>,
  cluster: Partial<SeenVolume>,
  because: string,
]

const held = (run: SeenHolder['run'], isDescribed = true): SeenHolder => ({ isDescribed, run })

describe('the state of a volume', () => {
  test.each<Case>([
    ['ready', {}, {}, 'it is there and in no VM'],
    [
      'creating',
      { clusterUid: null, grownGi: null },
      { filling: null, claim: null },
      'nothing is made of it yet',
    ],
    ['creating', { grownGi: null }, {}, 'it is being made'],
    ['attaching', { vmId: 'vm' }, {}, 'the VM is not there, or knows nothing of it'],
    ['attaching', { vmId: 'vm' }, { holder: held('coming') }, 'the guest does not have it'],
    ['attached', { vmId: 'vm' }, { holder: held('there') }, 'the guest has it'],
    ['attached', { vmId: 'vm' }, { holder: held('off') }, 'the VM gets it when it starts'],
    ['attached', { vmId: 'vm' }, { holder: held('starting') }, 'the VM is about to have it'],
    ['attaching', { vmId: 'vm' }, { holder: held('off', false) }, 'the VM has not been told'],
    ['detaching', {}, { holder: held('there') }, 'the VM has not been told'],
    ['detaching', {}, { holder: held('leaving', false) }, 'the guest has not let go'],
    ['ready', {}, { holder: held('without', false) }, 'the guest has let go'],
    ['resizing', { sizeGi: 3 }, {}, 'it is smaller than it was asked to be'],
    ['resizing', { sizeGi: 3, vmId: 'vm' }, { holder: held('there') }, 'it grows in its VM'],
    ['lost', {}, { filling: null }, 'somebody took it away'],
    ['lost', {}, { claim: null }, 'somebody took its claim away'],
    ['lost', {}, { claim: { ...claim, phase: 'Lost' } }, 'its storage is gone'],
    ['lost', {}, { filling: { ...filling, uid: 'dv-2' } }, 'another one bears its name'],
    ['failed', { hasFailed: true, grownGi: null }, {}, 'it was given up'],
    ['deleting', { deleteRequested: true, vmId: 'vm' }, {}, 'a delete wins over everything'],
  ])('is %s for %j and %j, because %s', (...[state, row, cluster]) => {
    expect(stateOf(asked(row), seen(cluster))).toBe(state)
  })

  test('of one that waits for its first use is ready, with an explanation; of one that is bound there is none', () => {
    const waiting = seen({ claim: { ...claim, phase: 'Pending', capacityBytes: null } })
    expect(stateOf(asked(), waiting)).toBe('ready')
    expect(explain(asked(), waiting)).toMatchObject({ code: 'first_use', whoCanFix: 'nobody' })
    expect(explain(asked(), seen())).toBeNull()
  })

  test.each([
    ['quota_exceeded', 'ErrExceededQuota', 'exceeded quota: all, requested: requests.storage=1Gi'],
    ['class_unusable', 'ErrClaimNotValid', 'no accessMode'],
    ['storage_slow', 'ProvisioningFailed', 'no room'],
  ])('that is held back by the cluster is explained as %s', (code, reason, message) => {
    const stuck = seen({
      filling: { ...filling, phase: 'Pending', bound: { isTrue: false, reason, message } },
    })
    expect(explain(asked({ grownGi: null }), stuck)).toMatchObject({ code })
  })

  test('a VM holds what its run may still write to, and has got what it promised only when its guest has it', () => {
    const runs = ['off', 'starting', 'without', 'coming', 'there', 'leaving'] as const
    expect(runs.filter((run) => isHeld(held(run, false)))).toEqual([
      'starting',
      'coming',
      'there',
      'leaving',
    ])
    expect(runs.filter((run) => hasArrived(held(run)))).toEqual(['off', 'there'])
    expect([isHeld(null), hasArrived(null), hasArrived(held('there', false))]).toEqual([
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
      { filling: null, claim: null },
      'nothing is there',
    ],
    [
      'applyVolume',
      { clusterUid: null, grownGi: null },
      {},
      'an earlier run may have made it and died',
    ],
    [
      'wait',
      { clusterUid: null, grownGi: null },
      { filling: { ...filling, isDeleting: true } },
      'one of its name goes',
    ],
    [
      'fail',
      { clusterUid: null, grownGi: null },
      { filling: { ...filling, rowId: null } },
      'a stranger bears its name',
    ],
    [
      'fail',
      { clusterUid: null, grownGi: null },
      { filling: null, claim: { ...claim, rowId: 'other' } },
      'a stranger has its claim',
    ],
    ['open', { grownGi: null }, {}, 'it is filled'],
    [
      'open',
      { grownGi: null },
      { filling: { ...filling, phase: 'PendingPopulation' } },
      'it waits for its first use only',
    ],
    [
      'observe',
      { grownGi: null },
      { filling: { ...filling, phase: 'ImportInProgress' } },
      'it is being filled',
    ],
    [
      'fail',
      { grownGi: null },
      { filling: { ...filling, phase: 'Failed' } },
      'it cannot be filled',
    ],
    ['grow', { sizeGi: 3 }, {}, 'nobody asked for more room yet'],
    [
      'observe',
      { sizeGi: 3 },
      { claim: { ...claim, requestedBytes: 3 * gibibyte } },
      'it has not grown yet',
    ],
    [
      'noteGrown',
      { sizeGi: 3 },
      { claim: { ...claim, requestedBytes: 3 * gibibyte, capacityBytes: 3 * gibibyte } },
      'it has grown',
    ],
    ['observe', {}, { claim: null, filling: null }, 'what is lost is never silently made again'],
    ['removeVolume', { deleteRequested: true }, {}, 'it is to go'],
    ['wait', { deleteRequested: true }, { filling: null }, 'its claim has not gone yet'],
    ['erase', { deleteRequested: true }, { filling: null, claim: null }, 'nothing is left'],
    [
      'erase',
      { deleteRequested: true },
      { filling: { ...filling, rowId: 'other' }, claim: null },
      'a stranger’s is not ours to remove',
    ],
    ['removeVolume', { isGone: true }, {}, 'a paused worker made it after the end'],
    ['nothing', { isGone: true }, { filling: null, claim: null }, 'all is over'],
    ['removeVolume', { hasFailed: true, grownGi: null }, {}, 'what was given up leaves nothing'],
  ])('is %s for %j and %j, because %s', (...[step, row, cluster]) => {
    expect(nextStep(asked(row), seen(cluster)).do).toBe(step)
  })

  test('asks for as many bytes more as a file system between takes', () => {
    const small = seen({ claim: { ...claim, requestedBytes: 2.12 * gibibyte } })
    expect(nextStep(asked({ sizeGi: 4, bytesPerGi: 1.06 * gibibyte }), small)).toEqual({
      do: 'grow',
      uid: 'pvc-1',
      bytes: Math.ceil(4 * 1.06 * gibibyte),
    })
  })
})
