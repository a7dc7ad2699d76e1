import { expect, test } from 'vitest'
import { addressText, blockFromText, blocks } from './block.ts'

test.each([
  ['10.0.0.0/16', '10.0.0.0/16', 'it is canonical'],
  ['10.1.2.3/16', '10.1.0.0/16', 'host bits are ignored'],
  ['0.0.0.0/0', '0.0.0.0/0', 'the whole address space is a block'],
  ['255.255.255.255/32', '255.255.255.255/32', 'a single address is a block'],
  ['10.0.0.0', null, 'an address without prefix is not a block'],
  ['10.0.0.0/33', null, 'IPv4 has only 32 bits'],
  ['10.0.0.256/24', null, 'an octet is at most 255'],
  ['010.0.0.0/8', null, 'a leading zero is ambiguous'],
  ['10.0.0.0/024', null, 'a leading zero in the prefix is ambiguous'],
  ['::1/128', null, 'IPv6 is not supported yet'],
  [' 10.0.0.0/8', null, 'surrounding space is not allowed'],
])('the text %j is parsed as block %s: %s', (text, canonical, _because) => {
  const block = blockFromText(text)
  expect(block && blocks.text(block)).toBe(canonical)
})

test('two blocks overlap when one holds the other, and only then', () => {
  const [wide, inner, disjoint] = ['10.0.0.0/8', '10.9.0.0/16', '11.0.0.0/8'].map((text) =>
    blockFromText(text)!,
  )
  expect([
    blocks.overlap(wide!, inner!),
    blocks.overlap(inner!, wide!),
    blocks.overlap(wide!, disjoint!),
  ]).toEqual([true, true, false])
  expect([blocks.holds(wide!, inner!), blocks.holds(inner!, wide!)]).toEqual([true, false])
  expect([blocks.size(inner!), addressText(inner!.last)]).toEqual([65_536, '10.9.255.255'])
})
