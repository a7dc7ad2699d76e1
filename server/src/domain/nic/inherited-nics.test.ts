import { expect, test } from 'vitest'
import { requireAddressIn } from './inherited-nics.ts'

const ranges = [
  { first: '10.0.0.9', last: '10.0.0.12' },
  { first: '10.0.1.2', last: '10.0.1.2' },
]

test.each([
  { address: '10.0.0.9', isAllowed: true, because: 'a range begins with it' },
  { address: '10.0.0.12', isAllowed: true, because: 'a range ends with it' },
  { address: '10.0.1.2', isAllowed: true, because: 'it is the only address of a range' },
  { address: '10.0.0.10', isAllowed: true, because: 'addresses are compared as numbers' },
  { address: '10.0.0.13', isAllowed: false, because: 'it is after the range' },
  { address: '10.0.0.8', isAllowed: false, because: 'it is before all ranges' },
])(
  'the requested address $address is allowed ($isAllowed), because $because',
  ({ address, isAllowed }) => {
    const range = () => requireAddressIn({ name: 'web', ranges }, address)
    if (isAllowed) expect(range()).toEqual([{ first: address, last: address }])
    else expect(range).toThrow(expect.objectContaining({ code: 'wrong_state' }))
  },
)
