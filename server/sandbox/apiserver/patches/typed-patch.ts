import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { type Repeated, repeatedItems } from '../schemas/list-keys.ts'
import { type WrongType, checkSchema } from '../../objects/schema-check.ts'
import { refuse } from '../../objects/status.ts'

/**
 * An apply needs to know the type of every field that it sets: where a create would prune or
 * explain, it fails.
 */
export function typedPatch(resource: Resource, given: JsonMap): Json {
  const { pruned, unknown, wrongTypes } = checkSchema(given, resource.schema)
  const problems = [
    ...unknown.map((path) => `.${path}: field not declared in schema`),
    ...wrongTypes.map((wrong) => `.${wrong.path}: ${expectation(wrong)}`),
    ...repeatedItems('', given, resource.schema).map(repetition),
  ]
  if (problems.length === 0) return pruned
  const { namespace = '', name = '' } = isMap(given.metadata) ? given.metadata : {}
  const list =
    problems.length === 1
      ? problems[0]
      : ['errors:', ...problems.map((each) => `  ${each}`)].join('\n')
  throw refuse.internal(
    `failed to create typed patch object (${namespace}/${name}; ${apiVersionOf(resource)}, Kind=${resource.kind}): ${list}`,
  )
}

/** What was wanted and what came; how the value is shown depends on what was wanted. */
function expectation({ value, got, schema }: WrongType): string {
  const shown = isMap(value) || Array.isArray(value) ? goTypes[got] : String(value)
  if (schema['x-kubernetes-int-or-string'] === true) return `expected any scalar, got &{${shown}}`
  if (schema.type === 'string')
    return `expected string, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`
  if (schema.type === 'integer' || schema.type === 'number')
    return `expected numeric (int or float), got ${goTypes[got] ?? got}`
  const nouns = { boolean: 'boolean', array: 'list', object: 'map' }
  return `expected ${schema.type === undefined ? 'another type' : nouns[schema.type]}, got &{${shown}}`
}

const goTypes: Readonly<Record<string, string>> = {
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  array: '[]interface {}',
  object: 'map[string]interface {}',
}

function repetition({ list, identity, isKeys }: Repeated): string {
  const keys = isKeys && isMap(identity) ? Object.entries(identity) : [['', identity] as const]
  return `.${list}: duplicate entries for key [${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}
