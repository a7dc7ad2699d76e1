import { expect, test } from 'vitest'
import { progressBetween } from './progress.ts'

const gib = 2 ** 30
const before = { percent: 25, atMs: 0, bytesPerSecond: null }

test.each([
  {
    because: 'the first look',
    before: null,
    now: { percent: 25, atMs: 0 },
    told: {
      percent: 25,
      importedBytes: gib,
      totalBytes: 4 * gib,
      bytesPerSecond: null,
      etaSeconds: null,
    },
  },
  {
    because: 'two looks',
    before,
    now: { percent: 50, atMs: 4_000 },
    told: {
      percent: 50,
      importedBytes: 2 * gib,
      totalBytes: 4 * gib,
      bytesPerSecond: gib / 4,
      etaSeconds: 8,
    },
  },
  { because: 'too early', before, now: { percent: 50, atMs: 1_999 }, told: null },
  { because: 'no news', before, now: { percent: 25, atMs: 10_000 }, told: null },
  {
    because: 'a halt',
    before,
    now: { percent: 25, atMs: 30_000 },
    told: {
      percent: 25,
      importedBytes: gib,
      totalBytes: 4 * gib,
      bytesPerSecond: 0,
      etaSeconds: null,
    },
  },
  {
    because: 'a halt that was told',
    before: { ...before, bytesPerSecond: 0 },
    now: { percent: 25, atMs: 90_000 },
    told: null,
  },
  {
    because: 'a new beginning',
    before,
    now: { percent: 0, atMs: 4_000 },
    told: {
      percent: 0,
      importedBytes: 0,
      totalBytes: 4 * gib,
      bytesPerSecond: null,
      etaSeconds: null,
    },
  },
])('the progress of an import after $because', ({ before: was, now, told }) => {
  expect(progressBetween(was, now, 4)).toEqual(told)
})
