import { expect, test } from 'vitest'
import { chosenClass } from './storage-class.ts'

test.each([null, 'fast'])(
  'a volume is refused with a hint for the operator when there is no storage class: %s',
  (name) => {
    const refusal = {
      code: 'feature_disabled',
      message: expect.stringContaining('ask the operator to add one'),
    }
    expect(() => chosenClass([], name)).toThrow(expect.objectContaining(refusal))
  },
)
