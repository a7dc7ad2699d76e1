import { expect, test } from 'vitest'
import { canonicalCidr } from './cidr.ts'

test.each([
  ['10.0.0.0/8', '10.0.0.0/8', 'a canonical range stays as it is'],
  ['10.1.2.3/8', '10.0.0.0/8', 'host bits are dropped'],
  ['172.31.255.255/12', '172.16.0.0/12', 'the prefix may end inside a byte'],
  ['203.0.113.7', '203.0.113.7/32', 'a single address gets the longest prefix'],
  [' 0.0.0.0/0 ', '0.0.0.0/0', 'surrounding space is trimmed'],
  ['::/0', '::/0', 'all IPv6 addresses'],
  ['2001:DB8::1/32', '2001:db8::/32', 'digits are lower case, and host bits are dropped'],
  [
    '2001:db8:0:0:1:0:0:1',
    '2001:db8::1:0:0:1/128',
    'the first of the longest zero runs is compressed',
  ],
  ['fe80:0:0:1::/64', 'fe80:0:0:1::/64', 'the longest zero run is compressed'],
  ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8/128', 'an address without zeros has no gap'],
  ['1:0:3:4:5:6:7:8', '1:0:3:4:5:6:7:8/128', 'a single zero group is not compressed'],
  ['ffff::/17', 'ffff::/17', 'the prefix may end inside a group'],
])('the range %s is normalized to %s: %s', (text, canonical) => {
  expect(canonicalCidr(text)).toBe(canonical)
  expect(canonicalCidr(canonical)).toBe(canonical)
})

test.each([
  ['', 'the text is empty'],
  ['any', 'it is a word'],
  ['10.0.0.0/33', 'the prefix is longer than an address'],
  ['10.0.0.0/-1', 'the prefix is negative'],
  ['10.0.0.0/08', 'some parsers read the prefix as octal'],
  ['010.0.0.0/8', 'some parsers read the byte as octal'],
  ['10.0.0/8', 'a byte is missing'],
  ['10.0.0.256/8', 'a byte is above 255'],
  ['10.0.0.0/8/8', 'it has two prefixes'],
  ['10.0.0.0/8\n- ipBlock: {}', 'text follows the range'],
  ['::/129', 'the prefix is longer than an address'],
  ['1::2::3/64', 'it has two gaps'],
  ['1:2:3:4:5:6:7/64', 'a group is missing'],
  ['1:2:3:4:5:6:7:8:9/64', 'it has nine groups'],
  ['1:2:3:4::5:6:7:8/64', 'a gap has no groups left to replace'],
  ['12345::/16', 'a group has five digits'],
  ['::ffff:10.0.0.1/128', 'it mixes IPv6 and IPv4 notation'],
])('the text %j is not a range: %s', (text) => {
  expect(canonicalCidr(text)).toBeNull()
})
