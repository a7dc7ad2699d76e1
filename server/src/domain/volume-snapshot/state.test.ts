import { expect, test } from 'vitest'
import { isSettled, volumeSnapshotStates } from './state.ts'

test('a snapshot is settled when it is ready or has failed and is not being deleted', () => {
  const settled = volumeSnapshotStates.filter((state) =>
    isSettled({ deleteRequested: false }, state),
  )
  expect(settled).toEqual(['ready', 'failed'])
  expect(isSettled({ deleteRequested: true }, 'ready')).toBe(false)
})
