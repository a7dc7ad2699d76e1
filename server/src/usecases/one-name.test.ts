import { expect, test } from 'vitest'
import { requireAtMostOneName, requireOneName } from './one-name.ts'

test.each([
  { request: {}, path: 'name', other: 'id' },
  { request: { id: 'a', name: 'b' }, path: 'name', other: 'id' },
  { request: { fieldsOf: 'vm' }, path: 'vmName', other: 'vmId' },
  { request: { fieldsOf: 'snapshot' }, path: 'snapshotName', other: 'snapshotId' },
] as const)(
  'a request with neither or both of $other and $path is refused at $path: $request',
  ({ request, path, other }) => {
    const message = { key: 'field.id_or_name', params: { id: other } }
    expect(() => requireOneName(request)).toThrow(
      expect.objectContaining({ fields: [expect.objectContaining({ path, message })] }),
    )
  },
)

test('a request that may name an object is refused when it names it twice', () => {
  const message = { key: 'field.not_both', params: { id: 'vmId' } }
  expect(() => requireAtMostOneName({ id: 'a', name: 'b', fieldsOf: 'vm' })).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ path: 'vmName', message })] }),
  )
  expect(requireAtMostOneName({ fieldsOf: 'vm' })).toBeNull()
  expect(requireAtMostOneName({ name: 'b', fieldsOf: 'vm' })).toEqual({ name: 'b' })
})
