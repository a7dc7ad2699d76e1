import { describe, expect, test } from 'vitest'
import { type Json, type JsonMap } from '../../objects/types.ts'
import { jsonPatch } from './json-patch.ts'

/*
 * The API server uses evanphx/json-patch 4. It differs from RFC 6902 for missing keys: they read as
 * null, and `replace` adds them.
 */
const document: JsonMap = { spec: { list: [1, 2, 3], gone: null }, 'a/b': 1 }
const patched = (operation: JsonMap): Json => jsonPatch(document, [operation])

describe('JSON patch operations', () => {
  test.each<[JsonMap, JsonMap]>([
    [
      { op: 'add', path: '/spec/list/-', value: 4 },
      { list: [1, 2, 3, 4], gone: null },
    ],
    [
      { op: 'add', path: '/spec/list/3', value: 4 },
      { list: [1, 2, 3, 4], gone: null },
    ],
    [
      { op: 'add', path: '/spec/list/0', value: 0 },
      { list: [0, 1, 2, 3], gone: null },
    ],
    [
      { op: 'remove', path: '/spec/list/2' },
      { list: [1, 2], gone: null },
    ],
    [
      { op: 'replace', path: '/spec/list/2', value: 9 },
      { list: [1, 2, 9], gone: null },
    ],
    [
      { op: 'replace', path: '/spec/new', value: 1 },
      { list: [1, 2, 3], gone: null, new: 1 },
    ],
    [
      { op: 'test', path: '/spec/new', value: null },
      { list: [1, 2, 3], gone: null },
    ],
    [
      { op: 'copy', from: '/a~1b', path: '/spec/gone' },
      { list: [1, 2, 3], gone: 1 },
    ],
  ])('the operation %o applies', (operation, spec) => {
    expect(patched(operation)).toEqual({ spec, 'a/b': 1 })
  })

  test.each<JsonMap>([
    { op: 'remove', path: '/spec/list/3' },
    { op: 'replace', path: '/spec/list/3', value: 4 },
    { op: 'replace', path: '/spec/list/-', value: 4 },
    { op: 'test', path: '/spec/list/3', value: null },
    { op: 'add', path: '/spec/list/4', value: 4 },
    { op: 'add', path: '/spec/list/01', value: 4 },
    { op: 'remove', path: '/spec/new' },
    { op: 'move', from: '/spec/new', path: '/spec/other' },
    { op: 'add', path: '/new/deep', value: 1 },
    { op: 'add', path: 'spec', value: 1 },
    { op: 'remove', path: '' },
    { op: 'nothing', path: '/spec' },
  ])('the operation %o is refused as unprocessable', (operation) => {
    expect(() => patched(operation)).toThrow(expect.objectContaining({ status: 422 }))
  })

  test('a patch does not change its input', () => {
    const before = structuredClone(document)
    patched({ op: 'replace', path: '/spec/list/0', value: 9 })
    expect(document).toEqual(before)
  })
})
