import { type FaultField } from '../model/fault.ts'
import { type Message, messageOf } from '../model/message.ts'
import { isMoment } from '../model/moment.ts'
import { type Schema } from './json-schema.ts'
import { nearestName } from './nearest-name.ts'

/**
 * Lists the problems of a value in a request: where its schema does not allow it. The OpenAPI
 * document shows the same schema, so that it tells exactly what is accepted.
 */
export function problemsOf(schema: Schema, value: unknown, path: string): FaultField[] {
  const types = [schema.type ?? 'object'].flat()
  if (value === null) return types.includes('null') ? [] : problem(path, 'field.null')
  return checks[types[0] ?? '']?.(schema, value, path) ?? []
}

type Check = (schema: Schema, value: unknown, path: string) => FaultField[]

const checks: Readonly<Record<string, Check>> = {
  array: ofList,
  boolean: (_, value, path) =>
    typeof value === 'boolean' ? [] : problem(path, 'field.not_boolean'),
  integer: ofInteger,
  object: ofObject,
  string: ofText,
}

function ofText({ enum: words, format, minLength = 0 }: Schema, value: unknown, path: string) {
  if (words && !(typeof value === 'string' && words.includes(value)))
    return [{ path, message: unknownWord(value, words.filter(Boolean)) }]
  if (typeof value !== 'string') return problem(path, 'field.not_text')
  if (format === 'date-time' && !isMoment(value)) return problem(path, 'field.not_time')
  return value.length < minLength ? problem(path, 'field.empty') : []
}

function unknownWord(value: unknown, words: readonly string[]): Message {
  const nearest = typeof value === 'string' ? nearestName(value, words) : null
  return nearest === null
    ? messageOf('field.not_one_of', { words })
    : messageOf('field.not_one_of_near', { words, nearest })
}

function ofInteger(
  { minimum = -Infinity, maximum = Infinity }: Schema,
  value: unknown,
  path: string,
): FaultField[] {
  if (typeof value !== 'number' || !Number.isInteger(value)) return problem(path, 'field.not_whole')
  if (value < minimum) return [{ path, message: messageOf('field.at_least', { least: minimum }) }]
  return value > maximum ? [{ path, message: messageOf('field.at_most', { most: maximum }) }] : []
}

function ofList(
  { items = {}, minItems = 0, maxItems = Infinity }: Schema,
  value: unknown,
  path: string,
): FaultField[] {
  if (!Array.isArray(value)) return problem(path, 'field.not_list')
  if (value.length < minItems) return problem(path, 'field.one_or_absent')
  if (value.length > maxItems)
    return [{ path, message: messageOf('field.at_most_items', { most: maxItems }) }]
  return value.flatMap((item, index) => problemsOf(items, item, `${path}[${index}]`))
}

function ofObject(
  { properties = {}, required = [] }: Schema,
  value: unknown,
  path: string,
): FaultField[] {
  if (typeof value !== 'object' || Array.isArray(value)) return problem(path, 'field.not_object')
  const at = path === '' ? '' : `${path}.`
  // The check above ensures a plain object of unknown values.
  const fields = value as Readonly<Record<string, unknown>>
  const known = Object.keys(properties)
  return [
    ...required
      .filter((name) => !Object.hasOwn(fields, name))
      .flatMap((name) => problem(at + name, 'field.required')),
    ...Object.entries(properties).flatMap(([name, schema]) => {
      if (!Object.hasOwn(fields, name)) return []
      if (required.includes(name) && isTooShort(schema, fields[name]))
        return problem(at + name, 'field.one_needed')
      return problemsOf(schema, fields[name], at + name)
    }),
    ...Object.keys(fields)
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => ({ path: at + name, message: unknownName(name, known, 'field') })),
  ]
}

/** True for an empty list where the schema wants an entry. */
const isTooShort = ({ minItems = 0 }: Schema, value: unknown): boolean =>
  Array.isArray(value) && value.length < minItems

/** Refuses a name that a request does not have, with the name that the client most likely means. */
export function unknownName(
  name: string,
  known: readonly string[],
  noun: 'field' | 'parameter',
): Message {
  const nearest = nearestName(name, known)
  if (nearest !== null) return messageOf(`field.unknown_${noun}_near`, { nearest })
  return known.length === 0
    ? messageOf(`field.unknown_${noun}_of_none`)
    : messageOf(`field.unknown_${noun}`, { known })
}

type PlainProblem =
  | 'field.empty'
  | 'field.not_boolean'
  | 'field.not_list'
  | 'field.not_object'
  | 'field.not_text'
  | 'field.not_time'
  | 'field.not_whole'
  | 'field.null'
  | 'field.one_needed'
  | 'field.one_or_absent'
  | 'field.required'

const problem = (path: string, key: PlainProblem): FaultField[] => [
  { path, message: messageOf(key) },
]
