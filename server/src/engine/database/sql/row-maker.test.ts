import { expect, test } from 'vitest'
import { rowMaker } from './row-maker.ts'

test('a row has its parsed columns in order, with null for absent values', () => {
  const make = rowMaker(['id', 'isOpen', 'say "hi"', 'gone'])
  const row = make(
    ['7', 't', 'x', null],
    [Number, (text) => text === 't', (text) => text.toUpperCase(), Number],
  )
  expect(row).toEqual({ id: 7, isOpen: true, 'say "hi"': 'X', gone: null })
  expect(Object.keys(row)).toEqual(['id', 'isOpen', 'say "hi"', 'gone'])
})
