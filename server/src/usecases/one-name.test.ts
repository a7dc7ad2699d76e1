import { expect, test } from 'vitest'
import { requireOneName } from './one-name.ts'

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
