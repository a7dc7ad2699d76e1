import pg from 'pg'
import { expect, test } from 'vitest'
import { rowTypes } from './row-types.ts'

test.each([
  ['2026-11-21 05:06:33.123456+00', '2026-11-21T05:06:33.123456Z'],
  ['2026-11-21 05:06:33.1+00', '2026-11-21T05:06:33.1Z'],
  ['2026-11-21 05:06:33+00', '2026-11-21T05:06:33Z'],
])('the timestamp %s is sent as %s', (text, expected) => {
  const parse = rowTypes.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
  expect(parse(text)).toBe(expected)
})

test('a parsed timestamp does not change when another one is parsed', () => {
  const parse = rowTypes.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
  const first: unknown = parse('2026-11-21 05:06:33.123456+00')
  parse('1999-01-02 03:04:05.9+00')
  expect(first).toBe('2026-11-21T05:06:33.123456Z')
})

test('an integer is parsed as a number', () => {
  expect(rowTypes.getTypeParser(pg.types.builtins.INT4)('42')).toBe(42)
})
