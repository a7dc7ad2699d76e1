import { expect, test } from 'vitest'
import { addressText, blockFromText, blocks } from './block.ts'

test.each([
  ['10.0.0.0/16', '10.0.0.0/16', 'it is canonical'],
  ['10.1.2.3/16', '10.1.0.0/16', 'bits behind the prefix do not count'],
  ['0.0.0.0/0', '0.0.0.0/0', 'everything is a block'],
  ['255.255.255.255/32', '255.255.255.255/32', 'so is one address'],
  ['10.0.0.0', null, 'an address is none'],
  ['10.0.0.0/33', null, 'there are no more bits'],
  ['10.0.0.256/24', null, 'an octet ends at 255'],
  ['010.0.0.0/8', null, 'a leading zero means two things'],
  ['10.0.0.0/024', null, 'also in the prefix'],
  ['::1/128', null, 'the other family is not read yet'],
  [' 10.0.0.0/8', null, 'it is the whole text'],
])('%s is read as %s, because %s', (text, canonical, _because) => {
  const block = blockFromText(text)
  expect(block && blocks.text(block)).toBe(canonical)
})

test('two blocks overlap when one holds the other, and only then', () => {
  const [wide, inner, beside] = ['10.0.0.0/8', '10.9.0.0/16', '11.0.0.0/8'].map((text) =>
    blockFromText(text)!,
  )
  expect([
    blocks.overlap(wide!, inner!),
    blocks.overlap(inner!, wide!),
    blocks.overlap(wide!, beside!),
  ]).toEqual([true, true, false])
  expect([blocks.holds(wide!, inner!), blocks.holds(inner!, wide!)]).toEqual([true, false])
  expect([blocks.size(inner!), addressText(inner!.last)]).toEqual([65_536, '10.9.255.255'])
})
