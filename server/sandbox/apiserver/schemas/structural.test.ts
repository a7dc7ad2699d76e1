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
  { because: 'a required field is missing', fields: {}, refused: ['spec.size: Required value'] },
  {
    because: 'a string is no integer',
    fields: { size: 's', count: 'many' },
    refused: [
      'spec.count: Invalid value: "string": spec.count in body must be of type integer: "string"',
    ],
  },
  {
    because: 'a value without a format is no int32',
    fields: { size: 's', count: true },
    refused: ['spec.count: Invalid value: "": spec.count in body must be of type int32: ""'],
  },
  { because: 'an integer is a number', fields: { size: 's', share: 1 }, refused: [] },
  {
    because: 'a number is out of bounds',
    fields: { size: 's', count: 10 },
    refused: [
      'spec.count: Invalid value: 10: spec.count in body should be less than or equal to 9',
    ],
  },
  {
    because: 'a number exceeds its format, and that error does not name the field',
    fields: { size: 's', count: 3e9 },
    refused: [
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.count',
      'spec.count: Invalid value: 3000000000: spec.count in body should be less than or equal to 9',
    ],
  },
  {
    because: 'a string is too long and does not match, and the first error does not repeat it',
    fields: { size: 's', code: 'ABCDE' },
    refused: [
      'spec.code: Too long: may not be more than 4 bytes',
      `spec.code: Invalid value: "ABCDE": spec.code in body should match '^[a-z]+$'`,
    ],
  },
  {
    because: 'a string is too short',
    fields: { size: 's', code: 'a' },
    refused: ['spec.code: Invalid value: "a": spec.code in body should be at least 2 chars long'],
  },
  {
    because: 'supported values are listed in the order of the schema',
    fields: { size: 's', colour: 'green' },
    refused: ['spec.colour: Unsupported value: "green": supported values: "red", "blue"'],
  },
  {
    because: 'a string is no time',
    fields: { size: 's', when: 'noon' },
    refused: [
      'spec.when: Invalid value: "noon": spec.when in body must be of type date-time: "noon"',
    ],
  },
  { because: 'a port is an integer or a string', fields: { size: 's', port: 80 }, refused: [] },
  {
    because:
      'a value that is neither integer nor string violates the extension and the choice of types',
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
    because: 'a set has a duplicate item',
    fields: { size: 's', tags: ['a', 'a'] },
    refused: ['spec.tags[1]: Duplicate value: "a"'],
  },
  {
    because: 'two items have the same key',
    fields: { size: 's', parts: [{ name: 'a' }, { name: 'a', n: 2 }] },
    refused: ['spec.parts[1]: Duplicate value: {"name":"a"}'],
  },
  {
    because: 'errors of fields come before missing fields of the same object',
    fields: { loose: [{ n: 0 }] },
    refused: [
      'spec.loose[0].n: Invalid value: 0: spec.loose[0].n in body should be greater than or equal to 1',
      'spec.loose[0].name: Required value',
      'spec.size: Required value',
    ],
  },
]

for (const { because, fields, refused } of cases) {
  test(`the schema validates ${JSON.stringify(fields)} as the API server does: ${because}`, () => {
    expect(refusals(plain, fields)).toEqual(refused)
  })
}

test('a rule is skipped after a basic error, and the response reports that', () => {
  const pair = { a: '1', b: '2' }
  expect(refusals(kind(spec), { size: 's', pair })).toEqual(['spec.pair: Invalid value: not both'])
  const skipped =
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation'
  expect(refusals(kind(spec), { pair })).toEqual(['spec.size: Required value', skipped])
})

test('a transition rule is not applied to a new object', () => {
  expect(refusals(kind(spec), { size: 's', frozen: 'a' })).toEqual([])
  expect(refusals(kind(spec), { size: 's', frozen: 'b' }, { size: 's', frozen: 'a' })).toEqual([
    'spec.frozen: Invalid value: "b": frozen is immutable',
  ])
})

test('an unchanged stored value stays valid at its position while other values change', () => {
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

test('a schema prunes unknown fields, fills in defaults and keeps null only for nullable fields', () => {
  const input: Json = {
    size: null,
    gone: null,
    level: null,
    odd: 1,
    parts: [{ name: 'a', odd: { deep: 1 } }],
  }
  const { pruned, unknown } = checkSchema(input, spec)
  expect(pruned).toEqual({ gone: null, level: 'low', parts: [{ name: 'a' }] })
  expect(unknown).toEqual(['odd', 'parts[0].odd'])
})

test('a value that occurs three times is reported once', () => {
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
  test(`an apply of ${JSON.stringify(fields)} fails because a field does not match the schema`, () => {
    expect(() => typedPatch(kind(spec), { spec: fields })).toThrow(
      `failed to create typed patch object (/; kubevirt.io/v1, Kind=VirtualMachine): ${why}`,
    )
  })
}

test('adding a finalizer without a path to a custom kind causes a warning', () => {
  const withFinalizers = (...finalizers: string[]) => ({
    ...objectWith({}),
    metadata: { name: 'x', finalizers },
  })
  const warning = String.raw`299 - "metadata.finalizers: \"mine\": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers"`
  expect(
    finalizerWarnings(plain, withFinalizers('mine', 'example.com/mine', 'orphan'), null),
  ).toEqual([warning])
  expect(finalizerWarnings(plain, withFinalizers('mine'), withFinalizers('mine'))).toEqual([])
  expect(finalizerWarnings(registry.named('secrets'), withFinalizers('mine'), null)).toEqual([])
})

test('a duplicate field is found at every depth and reported once', () => {
  const body = String.raw`{"a":{"b":1,"c":"{\"b\":1,\"b\":2}","b":2,"b":3},"l":[{"x":1},{"x":[1,2],"y":",","x":3}],"b":0}`
  expect(duplicateFields(body)).toEqual(['a.b', 'l[1].x'])
})
