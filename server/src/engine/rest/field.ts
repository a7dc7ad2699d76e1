import { invalidInput } from '../http/faults.ts'
import { type RestInput } from './route.ts'
import { messageOf } from '../model/message.ts'

export type Body = RestInput['body']

/**
 * Reads the fields of a body. Empty text and zero mean absent, because clients of the older
 * interface send zero values for omitted fields. `at` is the prefix of a nested field's path.
 */
export const field = {
  text: textOf,
  required: requiredText,
  whole: wholeOf,
  positive: positiveOf,
  flag: flagOf,
  texts: textsOf,
  objects: objectsOf,
} as const

function textOf(body: Body, field: string, at = ''): string | undefined {
  const value = body[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw invalidInput(at + field, messageOf('field.not_text'))
  return value
}

function requiredText(body: Body, field: string): string {
  const value = textOf(body, field)
  if (value === undefined) throw invalidInput(field, messageOf('field.required'))
  return value
}

function wholeOf(body: Body, field: string, at = ''): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw invalidInput(at + field, messageOf('field.not_whole'))
  if (Math.abs(value) > maxInt)
    throw invalidInput(at + field, messageOf('field.at_most', { most: maxInt }))
  return value
}

function positiveOf(body: Body, field: string, at = ''): number | undefined {
  const value = wholeOf(body, field, at)
  return value !== undefined && value > 0 ? value : undefined
}

function flagOf(body: Body, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalidInput(field, messageOf('field.not_boolean'))
  return value
}

function textsOf(body: Body, field: string): string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > 100)
    throw invalidInput(field, messageOf('field.not_short_list'))
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw invalidInput(field, messageOf('field.not_texts'))
    return item
  })
}

/** Returns each object with the prefix of its fields' paths. */
function objectsOf(body: Body, field: string): { item: Body; at: string }[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) throw invalidInput(field, messageOf('field.not_objects'))
  return value.map((item: unknown, index) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw invalidInput(`${field}[${index}]`, messageOf('field.not_object'))
    // The check above ensures a plain object of unknown values.
    return { item: item as Body, at: `${field}[${index}].` }
  })
}

/** The largest Int of GraphQL. */
const maxInt = 2_147_483_647
