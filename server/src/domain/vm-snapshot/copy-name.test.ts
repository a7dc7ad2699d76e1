import { expect, test } from 'vitest'
import { copyNameOf } from './copy-name.ts'

test('the copy of a volume has the name of its VM before its own', () => {
  expect(copyNameOf('data', 'web-2')).toBe('web-2-data')
  expect(copyNameOf('d'.repeat(48), 'w')).toHaveLength(50)
})

test.each([
  { length: 48, code: 'invalid_input', because: 'a VM with a shorter name can have it' },
  { length: 49, code: 'wrong_state', because: 'every name of the VM is too long' },
])(
  'the copy of a volume with $length characters in its name is refused with $code, because $because',
  ({ length, code }) => {
    expect(() => copyNameOf('d'.repeat(length), 'web')).toThrow(expect.objectContaining({ code }))
  },
)
