import { expect, test } from 'vitest'
import { canonicalCidr } from './cidr.ts'
import { exceptionsIn, purposeOf, rangeHolds, rangesFor, withoutHeld } from './special-ranges.ts'

test('every special range is canonical, so that it compares with other ranges', () => {
  expect(rangesFor().map(canonicalCidr)).toEqual(rangesFor())
})

test.each<[string, string | null, string]>([
  ['169.254.169.254', 'platform', 'link-local addresses serve metadata'],
  ['100.100.100.200', 'platform', 'a metadata service may have an address in a private range'],
  ['fe80::1', 'platform', 'IPv6 has link-local addresses, too'],
  ['10.1.2.3', 'private', 'a network of the operator'],
  ['::1', 'private', 'the loopback address'],
  ['203.0.113.7', 'reserved', 'an address for documents'],
  ['64:ff9b::1', 'reserved', 'an IPv6 address outside the global ones'],
  ['93.184.216.34', null, 'a public address'],
  ['2606:2800:220:1:248:1893:25c8:1946', null, 'a public IPv6 address'],
  ['example.com', null, 'a name has no range'],
])('the address %s has the purpose %s: %s', (address, purpose, _because) => {
  expect(purposeOf(address)).toBe(purpose)
})

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.1.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['::/0', '10.0.0.0/8', false],
  ['fe80::/10', 'febf::/16', true],
])('the range %s holds %s: %s', (outer, inner, holds) => {
  expect(rangeHolds(outer, inner)).toBe(holds)
})

test('ranges that another one holds are left out, and the exceptions of a range are smaller than it', () => {
  const closed = withoutHeld([
    '10.1.0.0/16',
    '192.0.2.10/32',
    '10.0.0.0/8',
    '10.0.0.0/8',
    'fe80::/10',
  ])
  expect(closed).toEqual(['10.0.0.0/8', '192.0.2.10/32', 'fe80::/10'])
  expect(exceptionsIn('0.0.0.0/0', closed)).toEqual(['10.0.0.0/8', '192.0.2.10/32'])
  expect(exceptionsIn('10.0.0.0/8', closed)).toEqual([])
})
