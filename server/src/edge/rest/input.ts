import { invalidInput } from '../faults.ts'

/** `limit` and `cursor` of a list; without a limit everything is asked for and the server's cap decides. */
export function pageOf(query: URLSearchParams): { first: number; after: string | null } {
  const limit = query.get('limit')
  if (limit !== null && !/^[1-9]\d{0,5}$/.test(limit)) throw invalidInput('limit', 'must be a whole number of 1 or more')
  return { first: limit === null ? everything : Number(limit), after: query.get('cursor') }
}

const everything = 1_000_000

/** Leaves an absent value out of the answer instead of showing null. The rows are the executor's own and go nowhere else. */
export function withoutNulls<Field extends string, Row extends { [F in Field]: unknown }>(
  rows: readonly Row[],
  ...fields: Field[]
): readonly Row[] {
  // Undefined rather than deleted: a deleted key makes the object slow, and JSON leaves both out.
  for (const row of rows as readonly { [F in Field]: unknown }[])
    for (const field of fields) if (row[field] === null) row[field] = undefined
  return rows
}
