import { invalidInput } from '../faults.ts'
import { type RestInput } from './route.ts'

type Body = RestInput['body']

/**
 * How a body's fields are read. Clients of the older interface send zero values for "not given", so empty text and zero mean absent.
 */
export const field = { text: textOf, required: requiredText, whole: wholeOf, positive: positiveOf, flag: flagOf, texts: textsOf } as const

function textOf(body: Body, field: string): string | undefined {
  const value = body[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw invalidInput(field, 'must be a text')
  return value
}

function requiredText(body: Body, field: string): string {
  const value = textOf(body, field)
  if (value === undefined) throw invalidInput(field, 'is required')
  return value
}

function wholeOf(body: Body, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidInput(field, 'must be a whole number')
  if (Math.abs(value) > largest) throw invalidInput(field, `must be at most ${largest}`)
  return value
}

function positiveOf(body: Body, field: string): number | undefined {
  const value = wholeOf(body, field)
  return value !== undefined && value > 0 ? value : undefined
}

function flagOf(body: Body, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalidInput(field, 'must be true or false')
  return value
}

function textsOf(body: Body, field: string): string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > 100) throw invalidInput(field, 'must be a list of at most 100 texts')
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw invalidInput(field, 'must be a list of texts')
    return item
  })
}

/** What an Int of the schema can hold. */
const largest = 2_147_483_647
