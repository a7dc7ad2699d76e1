import { isDeepStrictEqual } from 'node:util'

/**
 * Whether what was found differs from what its row says. By what it is and not by its text: the
 * database keeps the parts of an explanation in an order of its own, and what is told again without
 * being new wakes everybody who listens.
 */
export const isNews = <Found extends object>(
  row: { readonly [Field in keyof Found]?: unknown },
  found: Found,
): boolean =>
  // What was found is made of its own fields and nothing else.
  (Object.keys(found) as (keyof Found)[]).some(
    (field) => !isDeepStrictEqual(row[field] ?? null, found[field] ?? null),
  )
