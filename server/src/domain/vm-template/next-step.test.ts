import { describe, expect, test } from 'vitest'
import { type ObservedDataVolume } from '../volume/data-volume.ts'
import { type DesiredTemplate, nextStep } from './next-step.ts'

const rowId = 'row'
const desired: DesiredTemplate = {
  rowId,
  deleteRequested: false,
  isGone: false,
  generation: 1,
  observedGeneration: 1,
  importState: 'importing',
  isTransferred: false,
  hasTimedOut: false,
  clusterUid: 'uid',
}
const notTrue = { isTrue: false, reason: '', message: '' }
const volume: ObservedDataVolume = {
  uid: 'uid',
  rowId,
  isDeleting: false,
  phase: 'ImportInProgress',
  percent: 12.5,
  restarts: 0,
  bound: notTrue,
  running: { ...notTrue, isTrue: true },
}
const isTrue = { ...notTrue, isTrue: true }
const foreign = { ...volume, rowId: null }
const deleting = { ...volume, isDeleting: true }
const done = { ...volume, phase: 'Succeeded', running: notTrue }
const broken = {
  ...volume,
  restarts: 9,
  running: { isTrue: false, reason: 'Error', message: 'expected status code 200, got 404' },
}

describe('the next step of an imported template', () => {
  test.each([
    {
      because: 'the volume does not exist yet',
      desired: { clusterUid: null },
      observed: null,
      step: { do: 'applyVolume' },
    },
    {
      because: 'a crashed reconcile has created the volume',
      desired: { clusterUid: null },
      observed: volume,
      step: { do: 'applyVolume' },
    },
    {
      because: 'an old volume with the name is being deleted',
      desired: { clusterUid: null },
      observed: deleting,
      step: { do: 'wait' },
    },
    {
      because: 'another owner has a volume with the name',
      desired: { clusterUid: null },
      observed: foreign,
      step: { do: 'fail', reason: 'name_in_use' },
    },
    {
      because: 'the import is in progress',
      desired: {},
      observed: volume,
      step: { do: 'recordProgress', percent: 12.5 },
    },
    {
      because: 'the progress is not reported yet',
      desired: {},
      observed: { ...volume, percent: null },
      step: { do: 'recordProgress', percent: null },
    },
    {
      because: 'the importer fails permanently',
      desired: {},
      observed: broken,
      step: { do: 'fail', reason: 'not_found' },
    },
    {
      because: 'the volume was deleted by hand',
      desired: {},
      observed: null,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'the volume is being deleted by hand',
      desired: {},
      observed: deleting,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'the volume was recreated by hand',
      desired: {},
      observed: { ...volume, uid: 'other' },
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'the import ended by its deadline, and its volume stays',
      desired: { importState: 'failed', hasTimedOut: true },
      observed: volume,
      step: { do: 'nothing' },
    },
    {
      because: 'the import is complete after its deadline',
      desired: { importState: 'failed', hasTimedOut: true },
      observed: { ...done, bound: isTrue },
      step: { do: 'open' },
    },
    {
      because: 'the import ended by its deadline before it created a volume',
      desired: { importState: 'failed', hasTimedOut: true, clusterUid: null },
      observed: null,
      step: { do: 'nothing' },
    },
    {
      because: 'the import ended by its deadline before it recorded its volume',
      desired: { importState: 'failed', hasTimedOut: true, clusterUid: null },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the late import is retried',
      desired: { importState: 'failed', hasTimedOut: true, generation: 2 },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the transfer has finished',
      desired: {},
      observed: done,
      step: { do: 'recordTransferred' },
    },
    {
      because: 'the claim is not bound yet',
      desired: { isTransferred: true },
      observed: done,
      step: { do: 'wait' },
    },
    {
      because: 'the claim is bound',
      desired: { isTransferred: true },
      observed: { ...done, bound: isTrue },
      step: { do: 'open' },
    },
    {
      because: 'the template is ready',
      desired: { importState: 'ready' },
      observed: { ...done, bound: isTrue },
      step: { do: 'nothing' },
    },
    {
      because: 'the volume of a ready template is gone',
      desired: { importState: 'ready' },
      observed: null,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'the volume of a ready template was replaced',
      desired: { importState: 'ready' },
      observed: { ...done, uid: 'other' },
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'the import has failed and its volume is left',
      desired: { importState: 'failed', clusterUid: null },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the import succeeded after it was given up',
      desired: { importState: 'failed', clusterUid: null },
      observed: done,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the volume of a failed import is being deleted',
      desired: { importState: 'failed' },
      observed: deleting,
      step: { do: 'wait' },
    },
    {
      because: 'the volume of a failed import is gone',
      desired: { importState: 'failed' },
      observed: null,
      step: { do: 'nothing' },
    },
    {
      because: 'the volume with the name of a failed import has another owner',
      desired: { importState: 'failed' },
      observed: foreign,
      step: { do: 'nothing' },
    },
    {
      because: 'a retry first removes the old volume',
      desired: { generation: 2, importState: 'failed' },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'a retry waits for the old volume to go',
      desired: { generation: 2, importState: 'failed' },
      observed: deleting,
      step: { do: 'wait' },
    },
    {
      because: 'a retry finds no old volume',
      desired: { generation: 2, importState: 'failed' },
      observed: null,
      step: { do: 'begin' },
    },
    {
      because: 'a deletion finds the volume',
      desired: { deleteRequested: true },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'a deletion waits for the volume to go',
      desired: { deleteRequested: true },
      observed: deleting,
      step: { do: 'wait' },
    },
    {
      because: 'a deletion finds nothing left',
      desired: { deleteRequested: true },
      observed: null,
      step: { do: 'erase' },
    },
    {
      because: 'a deletion finds a volume of another owner',
      desired: { deleteRequested: true },
      observed: foreign,
      step: { do: 'erase' },
    },
    {
      because: 'a stale worker created the volume after the deletion',
      desired: { deleteRequested: true, isGone: true },
      observed: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the template is deleted',
      desired: { deleteRequested: true, isGone: true },
      observed: null,
      step: { do: 'nothing' },
    },
  ] as const)('the next step is $step.do when $because', ({ desired: change, observed, step }) => {
    expect(nextStep({ ...desired, ...change }, observed, 0)).toEqual(step)
  })
})
