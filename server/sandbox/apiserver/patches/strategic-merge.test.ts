import { expect, test } from 'vitest'
import { type JsonMap } from '../../objects/types.ts'
import { type Schema } from '../../objects/resource.ts'
import { strategicMerge } from './strategic-merge.ts'

const byName: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
  items: { type: 'object' },
}
const schema: Schema = {
  properties: {
    byName,
    set: { type: 'array', 'x-kubernetes-list-type': 'set' },
    whole: { type: 'array' },
  },
}

const ab = {
  byName: [
    { name: 'a', x: 1 },
    { name: 'b', x: 2 },
  ],
}

test.each<{ because: string; old: JsonMap; patch: JsonMap; becomes: JsonMap }>([
  {
    because: 'maps merge',
    old: { m: { a: 1, b: 2 } },
    patch: { m: { b: 3 } },
    becomes: { m: { a: 1, b: 3 } },
  },
  {
    because: 'null removes a key',
    old: { m: { a: 1, b: 2 } },
    patch: { m: { b: null } },
    becomes: { m: { a: 1 } },
  },
  {
    because: 'a list without keys is replaced',
    old: { whole: [1, 2] },
    patch: { whole: [3] },
    becomes: { whole: [3] },
  },
  {
    because: 'a set keeps its values and gains the new ones',
    old: { set: ['a'] },
    patch: { set: ['a', 'b'] },
    becomes: { set: ['a', 'b'] },
  },
  {
    because: 'items with the same key merge, and new items are appended',
    old: ab,
    patch: { byName: [{ name: 'b', y: 3 }, { name: 'c' }] },
    becomes: { byName: [{ name: 'a', x: 1 }, { name: 'b', x: 2, y: 3 }, { name: 'c' }] },
  },
  {
    because: 'an item can be deleted',
    old: ab,
    patch: { byName: [{ name: 'a', $patch: 'delete' }] },
    becomes: { byName: [{ name: 'b', x: 2 }] },
  },
  {
    because: 'a list can be replaced',
    old: ab,
    patch: { byName: [{ $patch: 'replace' }, { name: 'c' }] },
    becomes: { byName: [{ name: 'c' }] },
  },
  {
    because: 'a map can be replaced',
    old: { m: { a: 1 } },
    patch: { m: { $patch: 'replace', b: 2 } },
    becomes: { m: { b: 2 } },
  },
  {
    because: 'a client can order items, and an item unknown to it stays before its old successor',
    old: { byName: [{ name: 'a' }, { name: 's' }, { name: 'b' }] },
    patch: { '$setElementOrder/byName': [{ name: 'b' }, { name: 'a' }] },
    becomes: { byName: [{ name: 's' }, { name: 'b' }, { name: 'a' }] },
  },
  {
    because: 'values can be removed from a set',
    old: { set: ['a', 'b'] },
    patch: { '$deleteFromPrimitiveList/set': ['a'] },
    becomes: { set: ['b'] },
  },
  {
    because: 'keys that $retainKeys does not list are removed',
    old: { m: { a: 1, b: 2 } },
    patch: { m: { $retainKeys: ['c'], c: 3 } },
    becomes: { m: { c: 3 } },
  },
])('a strategic merge patch follows its rules: $because', ({ old, patch, becomes }) => {
  expect(strategicMerge(old, patch, schema)).toEqual(becomes)
})
