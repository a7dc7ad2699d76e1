import { expect, test } from 'vitest'
import { readYaml } from './read.ts'
import { yamlText } from './write.ts'

test.each([
  { text: 'a: y', value: true, because: 'YAML 1.1 has short booleans' },
  { text: "a: 'y'", value: 'y', because: 'a quoted value is a string' },
  { text: 'a: off', value: false, because: 'YAML 1.1 has on and off' },
  { text: 'a: 017', value: 15, because: 'a leading zero means octal' },
  { text: 'a: 0o17', value: 15, because: 'the newer octal form is supported' },
  { text: 'a: 08', value: 8, because: 'a number that is not octal is a float' },
  { text: 'a: 0x1F', value: 31, because: 'hex is a number' },
  { text: 'a: 1_000', value: 1000, because: 'underscores group digits' },
  { text: 'a: 1:30', value: '1:30', because: 'base 60 is not supported' },
  { text: 'a: 2001-01-01', value: '2001-01-01', because: 'times stay strings' },
  { text: 'a: 1e400', value: '1e400', because: 'a number beyond the float range is a string' },
  { text: 'a: ~', value: null, because: 'a tilde is null' },
  { text: 'a:', value: null, because: 'an empty value is null' },
  { text: 'a: !!str 12', value: '12', because: 'the tag sets the type' },
  { text: 'a: !!int "3"', value: 3, because: 'the tag sets the type' },
  { text: 'a: |\n  x\n  y\n', value: 'x\ny\n', because: 'a literal keeps its lines' },
  {
    text: 'a: >-\n  x\n  y\n\n  z\n',
    value: 'x y\nz',
    because: 'a folded text joins lines and drops the final line break',
  },
  { text: 'a: |+\n  x\n\n', value: 'x\n\n', because: 'a plus keeps trailing empty lines' },
  {
    text: 'a: plain\n  more # not this\n',
    value: 'plain more',
    because: 'a plain value may continue on the next line',
  },
  { text: 'a: 1\n---\na: 2', value: 1, because: 'only the first document is read' },
  { text: 'a: 1\na: 2', value: 2, because: 'the last of equal keys wins' },
  {
    text: 'x: &x {b: 1}\na:\n  <<: *x\n  d: 2',
    value: { b: 1, d: 2 },
    because: 'a map can be merged into another',
  },
  {
    text: 'x: &x {b: 1}\na:\n  <<: *x\n  b: 2',
    value: { b: 2 },
    because: 'own keys win over merged ones',
  },
  { text: '{"a": {"b": ["c"]}}', value: { b: ['c'] }, because: 'JSON is YAML' },
])('the YAML text $text has the value $value: $because', ({ text, value }) => {
  expect(readYaml(text).value).toMatchObject({ a: value })
})

test.each([
  { text: 'a: [1\nb: }', message: "yaml: line 1: did not find expected ',' or ']'" },
  { text: 'a:\n\tb: 1', message: 'yaml: line 2: found character that cannot start any token' },
  { text: 'a: b: c', message: 'yaml: mapping values are not allowed in this context' },
  { text: '"abc', message: 'yaml: found unexpected end of stream' },
  { text: 'a: *nope', message: "yaml: unknown anchor 'nope' referenced" },
  { text: 'a: .inf', message: 'json: unsupported value: +Inf' },
])('the YAML text $text is refused with the message of the API server', ({ text, message }) => {
  expect(() => readYaml(text)).toThrow(message)
})

test('repeated keys are reported with their lines', () => {
  expect(readYaml('a: 1\na: 2\nb:\n  c: 1\n  c: 2').repeated).toEqual([
    'line 2: key "a" already set in map',
    'line 5: key "c" already set in map',
  ])
})

test('a written value is read back unchanged, including strings that look like other types', () => {
  const value = {
    a: [
      'y',
      'no',
      '017',
      '1e3',
      '0x1',
      '1:30',
      '2001-01-01',
      '',
      '~',
      'null',
      ' x ',
      'a: b',
      '# c',
      '<<',
      '1_000',
      '0o7',
    ],
    b: 'x\ny\n',
  }
  expect(readYaml(yamlText(value)).value).toEqual(value)
})
