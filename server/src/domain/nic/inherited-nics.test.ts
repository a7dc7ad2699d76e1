import { expect, test } from 'vitest'
import { inheritanceRefusal, requireAddressIn } from './inherited-nics.ts'

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

const inherited = {
  macs: new Map([['web', '02:00:00:00:00:01']]),
  addresses: new Map([['web', '10.0.0.9']]),
}
const holder = {
  mac: '02:00:00:00:00:02',
  address: null,
  networkId: 'web',
  vmName: 'db-1',
  freeAt: null,
}
const withMac = { ...holder, mac: '02:00:00:00:00:01', address: '10.0.0.7' }
const withAddress = { ...holder, address: '10.0.0.9' }

test.each([
  { holders: [withMac], without: 'the mac', because: 'the address is free' },
  { holders: [withAddress], without: 'the ip', because: 'the MAC is free' },
  { holders: [withMac, withAddress], without: 'the mac and the ip', because: 'two NICs have them' },
  {
    holders: [{ ...withMac, address: '10.0.0.9' }],
    without: 'the mac and the ip',
    because: 'one NIC has both',
  },
])('a clone must not keep $without when $because', ({ holders, without }) => {
  const taken = inheritanceRefusal(holders, inherited)
  expect(taken?.message).toContain(
    `because VM db-1 has it. Repeat the request without keeping ${without};`,
  )
  const resting = inheritanceRefusal(
    holders.map((each) => ({ ...each, freeAt: '2026-01-31T12:00:00Z' })),
    inherited,
  )
  expect(resting?.message).toContain(`or repeat it without keeping ${without}.`)
})

test('a clone keeps MACs and addresses that no NIC has', () => {
  expect(inheritanceRefusal([], inherited)).toBeNull()
})
