import { describe, expect, test } from 'vitest'
import { blockFromText } from '../../format/address.ts'
import { type MapBlock, cellsOf, shareFree } from './address-cells.ts'

const block = (text: string) => blockFromText(text) ?? { first: 0, prefix: 0 }
const free = (cidr: string): MapBlock => ({ cidr, state: 'free', name: null, reason: null })
const used = (cidr: string, name: string): MapBlock => ({
  cidr,
  name,
  state: 'used',
  reason: `used by network ${name}`,
})

describe('the squares of an address map', () => {
  test('squares have the size of the prefix and name their network', () => {
    const map = [
      used('10.0.0.0/24', 'web'),
      free('10.0.1.0/24'),
      { ...used('10.0.2.0/23', ''), state: 'reserved' as const, name: null },
    ]
    expect(cellsOf(block('10.0.0.0/22'), 24, map)).toEqual([
      { cidr: '10.0.0.0/24', state: 'used', reason: 'used by network web', holder: 'web' },
      { cidr: '10.0.1.0/24', state: 'free', reason: null, holder: null },
      { cidr: '10.0.2.0/24', state: 'reserved', reason: 'used by network ', holder: null },
      { cidr: '10.0.3.0/24', state: 'reserved', reason: 'used by network ', holder: null },
    ])
  })

  test('a partly used square is not free and names the first network in it', () => {
    const map = [
      used('10.0.0.0/26', 'web'),
      free('10.0.0.64/26'),
      used('10.0.0.128/25', 'db'),
      free('10.0.1.0/24'),
    ]
    const [first, second] = cellsOf(block('10.0.0.0/23'), 24, map)
    expect(first).toMatchObject({
      state: 'partly',
      reason: 'partly used by network web (10.0.0.0/26), and 1 more',
    })
    expect(second).toMatchObject({ state: 'free' })
  })

  test('a map has at most 256 squares, which may be larger than the prefix', () => {
    const cells = cellsOf(block('10.0.0.0/16'), 28, [free('10.0.0.0/16')])
    expect([cells.length, cells.at(-1)?.cidr]).toEqual([256, '10.0.255.0/24'])
  })

  test('a map of one block has one square', () => {
    expect(cellsOf(block('10.0.0.0/24'), 24, [free('10.0.0.0/24')])).toMatchObject([
      { cidr: '10.0.0.0/24', state: 'free' },
    ])
  })

  test('a square beyond the map of the server is unknown', () => {
    expect(
      cellsOf(block('10.0.0.0/23'), 24, [free('10.0.0.0/24')]).map(({ state }) => state),
    ).toEqual(['free', 'unknown'])
  })
})

test('the free share of a space counts only blocks inside it', () => {
  const map = [
    used('10.0.0.0/24', 'web'),
    free('10.0.1.0/24'),
    free('10.0.2.0/23'),
    free('10.1.0.0/16'),
  ]
  expect(shareFree(block('10.0.0.0/22'), map)).toBe(0.75)
})

test.each(['10.0.0.0', '10.0.0.1/24', '10.0.0.256/24', '10.0.0.0/33', 'fd00::/8', ''])(
  'the text “%s” is not an address block',
  (text) => {
    expect(blockFromText(text)).toBeNull()
  },
)
