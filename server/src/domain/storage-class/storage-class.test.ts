import { expect, test } from 'vitest'
import { chosenClass } from './storage-class.ts'

test.each([null, 'fast'])(
  'a volume is refused with a hint for the operator when there is no storage class: %s',
  (name) => {
    expect(() => chosenClass([], name)).toThrow('ask the operator to add one')
  },
)
