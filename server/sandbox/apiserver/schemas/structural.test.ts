import { expect, test } from 'vitest'
import { type Json, type JsonMap } from '../../objects/types.ts'
import { type Resource, type Schema } from '../../objects/resource.ts'
import { duplicateFields } from '../requests/duplicate-fields.ts'
import { registry } from '../../kinds/registry.ts'
import { checkSchema } from '../../objects/schema-check.ts'
import { schemaCauses } from './structural.ts'
import { typedPatch } from '../patches/typed-patch.ts'
import { finalizerWarnings } from '../validate.ts'

const text: Schema = { type: 'string' }
const count: Schema = { type: 'integer', format: 'int32', minimum: 1, maximum: 9 }
const named: Schema = { type: 'object', properties: { name: text, n: count }, required: ['name'] }

const spec: Schema = {
  type: 'object',
  required: ['size'],
  properties: {
    size: text,
    count,
    share: { type: 'number' },
    when: { type: 'string', format: 'date-time' },
    colour: { ...text, enum: ['red', 'blue'] },
    code: { ...text, minLength: 2, maxLength: 4, pattern: '^[a-z]+$' },
    port: { 'x-kubernetes-int-or-string': true },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set', maxItems: 3 },
    parts: {
      type: 'array',
      items: named,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    loose: { type: 'array', items: named, minItems: 1 },
    level: { ...text, default: 'low' },
    gone: { ...text, nullable: true },
    frozen: {
      ...text,
      rules: [{ message: 'frozen is immutable', holdsAfter: (self, old) => self === old }],
    },
    pair: {
      type: 'object',
      properties: { a: text, b: text },
      rules: [{ message: 'not both', holds: (self) => Object.keys(self ?? {}).length < 2 }],
    },
  },
}

const kind = (schema: Schema): Resource => ({
  ...registry.named('virtualmachines.kubevirt.io'),
  schema: { type: 'object', properties: { spec: schema } },
})

const objectWith = (fields: JsonMap) => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec: fields,
})

const { frozen: _frozen, pair: _pair, ...plainFields } = spec.properties ?? {}
const plain = kind({ ...spec, properties: plainFields })

function refusals(resource: Resource, fields: JsonMap, old?: JsonMap): string[] {
  const causes = schemaCauses(resource, objectWith(fields), old ? objectWith(old) : null)
  return causes.map(({ field, message }) => `${field}: ${message}`)
}

const cases: { because: string; fields: JsonMap; refused: string[] }[] = [
  { because: 'what must be there is missing', fields: {}, refused: ['spec.size: Required value'] },
  {
    because: 'a text stands for a number',
    fields: { size: 's', count: 'many' },
    refused: [
      'spec.count: Invalid value: "string": spec.count in body must be of type integer: "string"',
    ],
  },
  {
    because: 'something without a format stands for a formatted number',
    fields: { size: 's', count: true },
    refused: ['spec.count: Invalid value: "": spec.count in body must be of type int32: ""'],
  },
  { because: 'a number may be whole', fields: { size: 's', share: 1 }, refused: [] },
  {
    because: 'a number is out of bounds',
    fields: { size: 's', count: 10 },
    refused: [
      'spec.count: Invalid value: 10: spec.count in body should be less than or equal to 9',
    ],
  },
  {
    because: 'a number does not fit its format, which is said without naming the field',
    fields: { size: 's', count: 3e9 },
    refused: [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.count',
      'spec.count: Invalid value: 3000000000: spec.count in body should be less than or equal to 9',
    ],
  },
  {
    because: 'a text is too long, which does not repeat it, and does not match',
    fields: { size: 's', code: 'ABCDE' },
    refused: [
      'spec.code: Too long: may not be more than 4 bytes',
      `spec.code: Invalid value: "ABCDE": spec.code in body should match '^[a-z]+$'`,
    ],
  },
  {
    because: 'a text is too short',
    fields: { size: 's', code: 'a' },
    refused: ['spec.code: Invalid value: "a": spec.code in body should be at least 2 chars long'],
  },
  {
    because: 'the supported values are told in the order of the schema',
    fields: { size: 's', colour: 'green' },
    refused: ['spec.colour: Unsupported value: "green": supported values: "red", "blue"'],
  },
  {
    because: 'a text is no time',
    fields: { size: 's', when: 'noon' },
    refused: [
      'spec.when: Invalid value: "noon": spec.when in body must be of type date-time: "noon"',
    ],
  },
  { because: 'a port is a number or a text', fields: { size: 's', port: 80 }, refused: [] },
  {
    because:
      'what is neither number nor text is refused by the extension and by the choice that stands beside it',
    fields: { size: 's', port: true },
    refused: [
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.port" must validate at least one schema (anyOf)',
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer: "boolean"',
    ],
  },
  {
    because: 'a list is too long',
    fields: { size: 's', tags: ['a', 'b', 'c', 'd'] },
    refused: ['spec.tags: Too many: 4: must have at most 3 items'],
  },
  {
    because: 'a list is too short',
    fields: { size: 's', loose: [] },
    refused: ['spec.loose: Invalid value: 0: spec.loose in body should have at least 1 items'],
  },
  {
    because: 'an item of a set comes twice',
    fields: { size: 's', tags: ['a', 'a'] },
    refused: ['spec.tags[1]: Duplicate value: "a"'],
  },
  {
    because: 'two items share their key',
    fields: { size: 's', parts: [{ name: 'a' }, { name: 'a', n: 2 }] },
    refused: ['spec.parts[1]: Duplicate value: {"name":"a"}'],
  },
  {
    because: 'fields are told before what is missing beside them, from the outside in',
    fields: { loose: [{ n: 0 }] },
    refused: [
      'spec.loose[0].n: Invalid value: 0: spec.loose[0].n in body should be greater than or equal to 1',
      'spec.loose[0].name: Required value',
      'spec.size: Required value',
    ],
  },
]

for (const { because, fields, refused } of cases) {
  test(`a schema answers ${JSON.stringify(fields)} as the API server does: ${because}`, () => {
    expect(refusals(plain, fields)).toEqual(refused)
  })
}

test('a rule is not asked while something more basic is wrong, and the answer says so', () => {
  const pair = { a: '1', b: '2' }
  expect(refusals(kind(spec), { size: 's', pair })).toEqual(['spec.pair: Invalid value: not both'])
  const skipped =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  expect(refusals(kind(spec), { pair })).toEqual(['spec.size: Required value', skipped])
})

test('a rule about a change is not asked of a new object', () => {
  expect(refusals(kind(spec), { size: 's', frozen: 'a' })).toEqual([])
  expect(refusals(kind(spec), { size: 's', frozen: 'b' }, { size: 's', frozen: 'a' })).toEqual([
    'spec.frozen: Invalid value: "b": frozen is immutable',
  ])
})

test('a stored value that is wrong by now may stay while others change, and only where it stood', () => {
  const old = {
    size: 's',
    colour: 'green',
    parts: [{ name: 'a', n: 0 }],
    loose: [{ name: 'a', n: 0 }],
  }
  const moved = { ...old, size: 't', parts: [{ name: 'b' }, { name: 'a', n: 0 }] }
  expect(refusals(plain, moved, old)).toEqual([])
  expect(refusals(plain, { ...old, colour: 'brown' }, old)).toEqual([
    'spec.colour: Unsupported value: "brown": supported values: "red", "blue"',
  ])
  expect(refusals(plain, { ...old, loose: [{ name: 'b' }, { name: 'a', n: 0 }] }, old)).toEqual([
    'spec.loose[1].n: Invalid value: 0: spec.loose[1].n in body should be greater than or equal to 1',
  ])
})

test('what a schema does not know is cut, what it fills in is there, and null stays only where it is a value', () => {
  const given: Json = {
    size: null,
    gone: null,
    level: null,
    odd: 1,
    parts: [{ name: 'a', odd: { deep: 1 } }],
  }
  const { pruned, unknown } = checkSchema(given, spec)
  expect(pruned).toEqual({ gone: null, level: 'low', parts: [{ name: 'a' }] })
  expect(unknown).toEqual(['odd', 'parts[0].odd'])
})

test('what is repeated often is told once', () => {
  expect(refusals(plain, { size: 's', tags: ['a', 'a', 'a'] })).toEqual([
    'spec.tags[1]: Duplicate value: "a"',
  ])
})

const applies: { fields: JsonMap; why: string }[] = [
  {
    fields: { size: 7 },
    why: '.spec.size: expected string, got &value.valueUnstructured{Value:7}',
  },
  { fields: { count: '7' }, why: '.spec.count: expected numeric (int or float), got string' },
  { fields: { pair: 7 }, why: '.spec.pair: expected map, got &{7}' },
  { fields: { odd: 7 }, why: '.spec.odd: field not declared in schema' },
  {
    fields: { parts: [{ name: 'a' }, { name: 'a' }] },
    why: '.spec.parts: duplicate entries for key [name="a"]',
  },
  { fields: { tags: ['a', 'a'] }, why: '.spec.tags: duplicate entries for key [="a"]' },
]

for (const { fields, why } of applies) {
  test(`an apply of ${JSON.stringify(fields)} fails as it cannot be typed`, () => {
    expect(() => typedPatch(kind(spec), { spec: fields })).toThrow(
      `failed to create typed patch object (/; kubevirt.io/v1, Kind=VirtualMachine): ${why}`,
    )
  })
}

test('a finalizer without a path is warned of when it is added to a custom kind, and only then', () => {
  const held = (...finalizers: string[]) => ({
    ...objectWith({}),
    metadata: { name: 'x', finalizers },
  })
  const warning = String.raw`299 - "metadata.finalizers: \"mine\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"`
  expect(finalizerWarnings(plain, held('mine', 'example.com/mine', 'orphan'), null)).toEqual([
    warning,
  ])
  expect(finalizerWarnings(plain, held('mine'), held('mine'))).toEqual([])
  expect(finalizerWarnings(registry.named('secrets'), held('mine'), null)).toEqual([])
})

test('fields that come twice are found wherever they are, and only once', () => {
  const body = String.raw`{"a":{"b":1,"c":"{\"b\":1,\"b\":2}","b":2,"b":3},"l":[{"x":1},{"x":[1,2],"y":",","x":3}],"b":0}`
  expect(duplicateFields(body)).toEqual(['a.b', 'l[1].x'])
})
