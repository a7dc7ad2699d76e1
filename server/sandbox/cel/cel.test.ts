import { describe, expect, test } from 'vitest'
import { type Json, type JsonMap } from '../objects/types.ts'
import { type CelValue, celValue, compileCel, evaluate } from './cel.ts'

const known: JsonMap = {
  object: { metadata: { name: 'a', labels: { x: '1' } }, list: [1, 2, 3], texts: ['a/b', 'c'] },
  params: null,
}
const scope = Object.fromEntries(
  Object.entries(known).map(([name, value]) => [name, celValue(value ?? null)]),
)
const valueOf = (source: string): CelValue =>
  evaluate(compileCel(source, Object.keys(known)), scope)

describe('CEL expressions', () => {
  test.each<[string, Json]>([
    ['1 + 2 == 3 && "a" + \'b\' == "ab"', true],
    ['object.metadata.labels["x"] in ["1", "2"]', true],
    ["'x' in object.metadata.labels && !('y' in object.metadata.labels)", true],
    ['has(object.metadata.labels) ? has(object.metadata.annotations) : true', false],
    ['object.list.filter(n, n > 1).map(n, n + 1)', [3, 4]],
    ['object.list.all(n, n > 0) && object.list.exists(n, n == 3)', true],
    ['[].all(n, false) && ![].exists(n, true)', true],
    ["object.texts.all(t, !t.contains('/') || t.matches('^a/[^/]+$'))", true],
    [String.raw`'x "k": "1" "k":"2"'.findAll(r'"k"\s*:\s*"[^"]*"')`, ['"k": "1"', '"k":"2"']],
    [String.raw`'K'.matches(r'(?i)^k$') && 'a\\b'.contains('\\')`, true],
    ["' a , b'.split(',').map(t, t.trim())", ['a', 'b']],
    ['size(object.list) == 3 && size({}) == 0', true],
    ['true || false && false', true],
    ['1 < 2 ? "yes" : "no"', 'yes'],
    ['params == null', true],
    ['2 * 3 - 7 / 2 == 3 && {"a": [1]}.a[0] == 1', true],
    ['object.list.exists_one(n, n > 2) && int("4") == 4', true],
  ])('the expression %s has the expected value', (source, value) => {
    expect(valueOf(source)).toEqual(celValue(value))
  })

  test.each([
    ['object.nothing', 'no such key: nothing'],
    ['object.metadata.labels["y"]', 'no such key: y'],
    ['object.list.all(n, n.x)', 'no such key: x'],
    ['object.list[0] + "a" == 2', 'no such overload'],
    ["object.metadata.name.matches('(')", 'nvalid regular expression: ('],
    ['object.list[7] == 1', 'index out of bounds: 7'],
  ])('the expression %s fails to evaluate', (source, why) => {
    expect(() => valueOf(source)).toThrow(why)
  })

  test.each([
    'object.nothing == 1 || true',
    'true || object.nothing == 1',
    '![1].all(n, n == 2 && object.nothing == 1)',
  ])('an error on one side is ignored when the other side decides: %s', (source) => {
    expect(valueOf(source)).toBe(true)
  })

  test.each([
    ['object.a &&', 'ERROR: <input>:1:12: Syntax error: Unexpected token: EOF'],
    ['object.a #', 'Syntax error: Unexpected character: #'],
    ['nobody.a', "undeclared reference to 'nobody'"],
    ['object.list.all(n, m)', "undeclared reference to 'm'"],
    ['"a".reverse()', "found no matching overload for 'string.reverse()'"],
    ['authorizer == null', "undeclared reference to 'authorizer'"],
    ['has(object)', 'has() invalid argument'],
    ['1 + "a" == 2', 'no such overload: int + string'],
  ])('the expression %s is refused', (source, why) => {
    expect(() => valueOf(source)).toThrow(why)
  })
})
