import { invalidInput } from '../faults.ts'
import { type RestInput } from './route.ts'

type Body = RestInput['body']

/** Fields of a body. Clients of the older interface send zero values for "not given", so empty text and zero mean absent. */
export function textOf(body: Body, field: string): string | undefined {
  const value = body[field]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw invalidInput(field, 'must be a text')
  return value
}

/** A text that is kept even when it is empty; absent stays absent. */
export function rawTextOf(body: Body, field: string): string | undefined {
  return body[field] === '' ? '' : textOf(body, field)
}

export function requiredText(body: Body, field: string): string {
  const value = textOf(body, field)
  if (value === undefined) throw invalidInput(field, 'is required')
  return value
}

export function wholeOf(body: Body, field: string): number | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value)) throw invalidInput(field, 'must be a whole number')
  return value
}

export function positiveOf(body: Body, field: string): number | undefined {
  const value = wholeOf(body, field)
  return value !== undefined && value > 0 ? value : undefined
}

export function flagOf(body: Body, field: string): boolean | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'boolean') throw invalidInput(field, 'must be true or false')
  return value
}

export function textsOf(body: Body, field: string): string[] | undefined {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || value.length > 100) throw invalidInput(field, 'must be a list of at most 100 texts')
  return value.map((item: unknown) => {
    if (typeof item !== 'string') throw invalidInput(field, 'must be a list of texts')
    return item
  })
}

/** `limit` and `cursor` of a list; without a limit everything is asked for and the server's cap decides. */
export function pageOf(query: URLSearchParams): { first: number; after: string | null } {
  const limit = query.get('limit')
  if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit)) throw invalidInput('limit', 'must be a whole number of 1 or more')
  return { first: limit === null ? everything : Number(limit), after: query.get('cursor') }
}

const everything = 1_000_000

/** Leaves an absent value out of the answer instead of showing null. The rows are the executor's own and go nowhere else. */
export function withoutNulls<Field extends string, Row extends { [F in Field]: unknown }>(rows: readonly Row[], ...fields: Field[]): readonly Row[] {
  // Undefined rather than deleted: a deleted key makes the object slow, and JSON leaves both out.
  for (const row of rows as readonly { [F in Field]: unknown }[]) for (const field of fields) if (row[field] === null) row[field] = undefined
  return rows
}
