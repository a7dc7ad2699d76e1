import { expect, test } from 'vitest'
import { progressBetween } from './progress.ts'

const gib = 2 ** 30
const before = { percent: 25, atMs: 0, bytesPerSecond: null }

test.each([
  {
    because: 'the first reading',
    before: null,
    now: { percent: 25, atMs: 0 },
    reported: {
      percent: 25,
      importedBytes: gib,
      totalBytes: 4 * gib,
      bytesPerSecond: null,
      etaSeconds: null,
    },
  },
  {
    because: 'two readings',
    before,
    now: { percent: 50, atMs: 4_000 },
    reported: {
      percent: 50,
      importedBytes: 2 * gib,
      totalBytes: 4 * gib,
      bytesPerSecond: gib / 4,
      etaSeconds: 8,
    },
  },
  {
    because: 'a reading that is too early',
    before,
    now: { percent: 50, atMs: 1_999 },
    reported: null,
  },
  {
    because: 'a reading without change',
    before,
    now: { percent: 25, atMs: 10_000 },
    reported: null,
  },
  {
    because: 'a halt of 30 seconds',
    before,
    now: { percent: 25, atMs: 30_000 },
    reported: {
      percent: 25,
      importedBytes: gib,
      totalBytes: 4 * gib,
      bytesPerSecond: 0,
      etaSeconds: null,
    },
  },
  {
    because: 'a halt that was reported before',
    before: { ...before, bytesPerSecond: 0 },
    now: { percent: 25, atMs: 90_000 },
    reported: null,
  },
  {
    because: 'a restart of the importer',
    before,
    now: { percent: 0, atMs: 4_000 },
    reported: {
      percent: 0,
      importedBytes: 0,
      totalBytes: 4 * gib,
      bytesPerSecond: null,
      etaSeconds: null,
    },
  },
])(
  'the progress of an import is computed after $because',
  ({ before: previous, now, reported }) => {
    expect(progressBetween(previous, now, 4)).toEqual(reported)
  },
)
