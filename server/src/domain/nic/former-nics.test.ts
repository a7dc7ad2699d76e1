import { expect, test } from 'vitest'
import { onlyAddress } from './former-nics.ts'

const ranges = [
  { first: '10.0.0.9', last: '10.0.0.12' },
  { first: '10.0.1.2', last: '10.0.1.2' },
]

test.each([
  { address: '10.0.0.9', given: true, because: 'a range begins with it' },
  { address: '10.0.0.12', given: true, because: 'a range ends with it' },
  { address: '10.0.1.2', given: true, because: 'it is a range of its own' },
  { address: '10.0.0.10', given: true, because: 'numbers are not compared as texts' },
  { address: '10.0.0.13', given: false, because: 'it is behind its range' },
  { address: '10.0.0.8', given: false, because: 'it is before all' },
])('whether $address is given, since $because: $given', ({ address, given }) => {
  const only = () => onlyAddress({ name: 'web', ranges }, address)
  if (given) expect(only()).toEqual([{ first: address, last: address }])
  else expect(only).toThrow(expect.objectContaining({ code: 'wrong_state' }))
})
