import { expect, test } from 'vitest'
import { type Reconciler } from '../engine/reconcile/reconciler.ts'
import { reconcilers } from './nouns.ts'

/** Stands for all parts of a reconciler, which this test does not run. */
const anything: object = new Proxy(() => anything, { get: () => anything })

test('every reconciler fails the operations of a key that was given up, or never gives one up', () => {
  const made = reconcilers.map((make): Reconciler => make(anything as never))
  const silent = made.filter(({ gaveUp, maxAttempts }) => !gaveUp && maxAttempts !== Infinity)
  expect(silent.map(({ kind }) => kind)).toEqual([])
})
