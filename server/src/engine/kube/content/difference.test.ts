import { expect, test } from 'vitest'
import { differingPaths, foreignNames } from './difference.ts'

const disks = [{ name: 'root' }, { name: 'data', serial: 'a' }]

test.each([
  { because: 'the values are equal', desired: { a: 1 }, found: { a: 1 }, paths: [] },
  { because: 'defaults are no difference', desired: { a: 1 }, found: { a: 1, b: 2 }, paths: [] },
  {
    because: 'equal quantities differ in writing',
    desired: { m: '2048Mi' },
    found: { m: '2Gi' },
    paths: [],
  },
  {
    because: 'a value differs',
    desired: { a: { b: '2' } },
    found: { a: { b: '3' } },
    paths: ['.a.b'],
  },
  { because: 'a field is missing', desired: { a: {} }, found: {}, paths: ['.a'] },
  {
    because: 'the order of items does not count',
    desired: disks,
    found: disks.toReversed(),
    paths: [],
  },
  {
    because: 'an item differs',
    desired: disks,
    found: [{ name: 'data', serial: 'b' }, { name: 'root' }],
    paths: ['[data].serial'],
  },
  { because: 'an item is missing', desired: disks, found: [{ name: 'root' }], paths: ['[data]'] },
  {
    because: 'an item was added',
    desired: disks,
    found: [...disks, { name: 'more' }],
    paths: ['[more]'],
  },
])('the differences are $paths, because $because', ({ desired, found, paths }) => {
  expect(differingPaths(desired, found, '')).toEqual(paths)
})

test('foreign names are those of items that only the found list has', () => {
  expect(foreignNames(disks, [{ name: 'more' }, ...disks])).toEqual(['more'])
  expect(foreignNames(disks, undefined)).toEqual([])
})
