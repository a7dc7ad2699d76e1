import { describe, expect, test } from 'vitest'
import { type SeenDataVolume } from '../volume/data-volume.ts'
import { type AskedTemplate, nextStep } from './next-step.ts'

const rowId = 'row'
const asked: AskedTemplate = {
  rowId,
  deleteRequested: false,
  isGone: false,
  generation: 1,
  seenGeneration: 1,
  importState: 'importing',
  isTransferred: false,
  clusterUid: 'uid',
}
const no = { isTrue: false, reason: '', message: '' }
const volume: SeenDataVolume = {
  uid: 'uid',
  rowId,
  isDeleting: false,
  phase: 'ImportInProgress',
  percent: 12.5,
  restarts: 0,
  bound: no,
  running: { ...no, isTrue: true },
}
const yes = { ...no, isTrue: true }
const strange = { ...volume, rowId: null }
const going = { ...volume, isDeleting: true }
const done = { ...volume, phase: 'Succeeded', running: no }
const broken = {
  ...volume,
  restarts: 9,
  running: { isTrue: false, reason: 'Error', message: 'expected status code 200, got 404' },
}

describe('the next step of a template that is imported', () => {
  test.each([
    {
      because: 'nothing is there yet',
      asked: { clusterUid: null },
      seen: null,
      step: { do: 'applyVolume' },
    },
    {
      because: 'an earlier run made it and died',
      asked: { clusterUid: null },
      seen: volume,
      step: { do: 'applyVolume' },
    },
    {
      because: 'what bears our name is on its way out',
      asked: { clusterUid: null },
      seen: going,
      step: { do: 'wait' },
    },
    {
      because: 'a stranger bears our name',
      asked: { clusterUid: null },
      seen: strange,
      step: { do: 'fail', reason: 'importer_missing', code: 'cluster_name_conflict' },
    },
    { because: 'it goes on', asked: {}, seen: volume, step: { do: 'noteProgress', percent: 12.5 } },
    {
      because: 'nobody has said how far it is',
      asked: {},
      seen: { ...volume, percent: null },
      step: { do: 'noteProgress', percent: null },
    },
    {
      because: 'its importer fails for good',
      asked: {},
      seen: broken,
      step: { do: 'fail', reason: 'not_found' },
    },
    {
      because: 'somebody took the volume away',
      asked: {},
      seen: null,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'somebody takes the volume away',
      asked: {},
      seen: going,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'somebody made it anew',
      asked: {},
      seen: { ...volume, uid: 'other' },
      step: { do: 'fail', reason: 'lost' },
    },
    { because: 'the last byte has come', asked: {}, seen: done, step: { do: 'noteTransferred' } },
    {
      because: 'the claim is not bound yet',
      asked: { isTransferred: true },
      seen: done,
      step: { do: 'wait' },
    },
    {
      because: 'all is there',
      asked: { isTransferred: true },
      seen: { ...done, bound: yes },
      step: { do: 'open' },
    },
    {
      because: 'it is ready',
      asked: { importState: 'ready' },
      seen: { ...done, bound: yes },
      step: { do: 'nothing' },
    },
    {
      because: 'what was ready is gone',
      asked: { importState: 'ready' },
      seen: null,
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'what was ready is another',
      asked: { importState: 'ready' },
      seen: { ...done, uid: 'other' },
      step: { do: 'fail', reason: 'lost' },
    },
    {
      because: 'a failed one leaves nothing',
      asked: { importState: 'failed', clusterUid: null },
      seen: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'it came after we gave up',
      asked: { importState: 'failed', clusterUid: null },
      seen: done,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the rest is going',
      asked: { importState: 'failed' },
      seen: going,
      step: { do: 'wait' },
    },
    {
      because: 'nothing is left of it',
      asked: { importState: 'failed' },
      seen: null,
      step: { do: 'nothing' },
    },
    {
      because: 'a stranger’s is not ours to remove',
      asked: { importState: 'failed' },
      seen: strange,
      step: { do: 'nothing' },
    },
    {
      because: 'a retry begins on a clean slate',
      asked: { generation: 2, importState: 'failed' },
      seen: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'the slate is being cleaned',
      asked: { generation: 2, importState: 'failed' },
      seen: going,
      step: { do: 'wait' },
    },
    {
      because: 'the slate is clean',
      asked: { generation: 2, importState: 'failed' },
      seen: null,
      step: { do: 'begin' },
    },
    {
      because: 'a delete removes what is there',
      asked: { deleteRequested: true },
      seen: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'a delete waits',
      asked: { deleteRequested: true },
      seen: going,
      step: { do: 'wait' },
    },
    {
      because: 'a delete is done',
      asked: { deleteRequested: true },
      seen: null,
      step: { do: 'erase' },
    },
    {
      because: 'a delete leaves a stranger’s',
      asked: { deleteRequested: true },
      seen: strange,
      step: { do: 'erase' },
    },
    {
      because: 'a zombie made it',
      asked: { deleteRequested: true, isGone: true },
      seen: volume,
      step: { do: 'removeVolume', uid: 'uid' },
    },
    {
      because: 'what is gone is gone',
      asked: { deleteRequested: true, isGone: true },
      seen: null,
      step: { do: 'nothing' },
    },
  ] as const)('is $step.do when $because', ({ asked: more, seen, step }) => {
    expect(nextStep({ ...asked, ...more }, seen, 0)).toEqual(step)
  })
})
