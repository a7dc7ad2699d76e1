import { expect, test } from 'vitest'
import { type Viewer } from '../../engine/model/viewer.ts'
import { cancelRefusal } from './cancel-refusal.ts'

// Only the permissions of a viewer are read.
const viewerWith = (...permissions: string[]) =>
  ({ permissions: new Set(permissions) }) as unknown as Viewer
const open = { kind: 'import_iso', state: 'running', cancellable: true } as const

test.each([
  { because: 'it has ended', operation: { state: 'succeeded' }, key: 'operation.ended' },
  { because: 'no user can cancel it', operation: { cancellable: false }, key: 'operation.fixed' },
  { because: 'no plan has its kind', operation: { kind: 'of_yesterday' }, key: 'operation.fixed' },
  { because: 'the viewer lacks the permission', operation: {}, key: 'operation.not_yours' },
] as const)('a viewer cannot cancel an operation when $because: $key', ({ operation, key }) => {
  const refusal = cancelRefusal({ ...open, ...operation }, viewerWith())
  expect(refusal?.userMessage.key).toBe(key)
})

test('a viewer with the permission cancels an operation', () => {
  expect(cancelRefusal(open, viewerWith('*'))).toBeNull()
})
