import { type Json, type JsonMap, isMap } from '../../objects/types.ts'
import { type Resource, apiVersionOf } from '../../objects/resource.ts'
import { type DuplicateItem, duplicateItems } from '../schemas/list-keys.ts'
import { type WrongType, checkSchema } from '../../objects/schema-check.ts'
import { refuse } from '../../objects/status.ts'

/**
 * Checks the types of an applied configuration. It fails on unknown fields and wrong types, where a
 * create would prune them or report causes.
 */
export function typedPatch(resource: Resource, configuration: JsonMap): Json {
  const { pruned, unknown, wrongTypes } = checkSchema(configuration, resource.schema)
  const problems = [
    ...unknown.map((path) => `.${path}: field not declared in schema`),
    ...wrongTypes.map((wrong) => `.${wrong.path}: ${expectation(wrong)}`),
    ...duplicateItems('', configuration, resource.schema).map(repetition),
  ]
  if (problems.length === 0) return pruned
  const { namespace = '', name = '' } = isMap(configuration.metadata) ? configuration.metadata : {}
  const list =
    problems.length === 1
      ? problems[0]
      : ['errors:', ...problems.map((each) => `  ${each}`)].join('\n')
  throw refuse.internal(
    `failed to create typed patch object (${namespace}/${name}; ${apiVersionOf(resource)}, Kind=${resource.kind}): ${list}`,
  )
}

/** Describes a type mismatch. The format of the value depends on the expected type. */
function expectation({ value, got, schema }: WrongType): string {
  const formatted = isMap(value) || Array.isArray(value) ? goTypes[got] : String(value)
  if (schema['x-kubernetes-int-or-string'] === true)
    return `expected any scalar, got &{${formatted}}`
  if (schema.type === 'string')
    return `expected string, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`
  if (schema.type === 'integer' || schema.type === 'number')
    return `expected numeric (int or float), got ${goTypes[got] ?? got}`
  const nouns = { boolean: 'boolean', array: 'list', object: 'map' }
  return `expected ${schema.type === undefined ? 'another type' : nouns[schema.type]}, got &{${formatted}}`
}

const goTypes: Readonly<Record<string, string>> = {
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  array: '[]interface {}',
  object: 'map[string]interface {}',
}

function repetition({ list, identity, isKeys }: DuplicateItem): string {
  const keys = isKeys && isMap(identity) ? Object.entries(identity) : [['', identity] as const]
  return `.${list}: duplicate entries for key [${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(',')}]`
}
