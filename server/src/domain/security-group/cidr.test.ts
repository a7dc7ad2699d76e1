import { expect, test } from 'vitest'
import { canonicalCidr } from './cidr.ts'

test.each([
  ['10.0.0.0/8', '10.0.0.0/8', 'it is so already'],
  ['10.1.2.3/8', '10.0.0.0/8', 'bits of the host are dropped'],
  ['172.31.255.255/12', '172.16.0.0/12', 'also in the middle of a number'],
  ['203.0.113.7', '203.0.113.7/32', 'an address is the range of itself'],
  [' 0.0.0.0/0 ', '0.0.0.0/0', 'space around it is nobody’s intention'],
  ['::/0', '::/0', 'everybody who speaks IPv6'],
  ['2001:DB8::1/32', '2001:db8::/32', 'lower case, and bits of the host dropped'],
  [
    '2001:db8:0:0:1:0:0:1',
    '2001:db8::1:0:0:1/128',
    'the first of the longest runs of zeros is left out',
  ],
  ['fe80:0:0:1::/64', 'fe80:0:0:1::/64', 'one run is longer than the other'],
  ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128', 'nothing is left out of what is full'],
  ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8/128', 'a single zero is written'],
  ['ffff::/17', 'ffff::/17', 'a prefix ends inside a group'],
])('%s is written %s: %s', (text, canonical) => {
  expect(canonicalCidr(text)).toBe(canonical)
  expect(canonicalCidr(canonical)).toBe(canonical)
})

test.each([
  ['', 'nothing'],
  ['any', 'a word'],
  ['10.0.0.0/33', 'longer than an address'],
  ['10.0.0.0/-1', 'less than nothing'],
  ['10.0.0.0/08', 'octal to some'],
  ['010.0.0.0/8', 'octal to some'],
  ['10.0.0/8', 'too short'],
  ['10.0.0.256/8', 'not a byte'],
  ['10.0.0.0/8/8', 'two lengths'],
  ['10.0.0.0/8\n- ipBlock: {}', 'more than a range'],
  ['::/129', 'longer than an address'],
  ['1::2::3/64', 'two gaps'],
  ['1:2:3:4:5:6:7/64', 'too short'],
  ['1:2:3:4:5:6:7:8:9/64', 'too long'],
  ['1:2:3:4::5:6:7:8/64', 'a gap where there is no room'],
  ['12345::/16', 'not a group'],
  ['::ffff:10.0.0.1/128', 'two families in one'],
])('%j is no range: %s', (text) => {
  expect(canonicalCidr(text)).toBeNull()
})
