import { isDeepStrictEqual } from 'node:util'

/**
 * True when the observed values differ from the row. Values are compared deeply, because the
 * database stores the keys of JSON in its own order. An unchanged value must not be written, since
 * each write notifies all subscribers.
 */
export const differsFromRow = <Observed extends object>(
  row: { readonly [Field in keyof Observed]?: unknown },
  observed: Observed,
): boolean =>
  // `Object.keys` returns strings; the object has only its declared fields.
  (Object.keys(observed) as (keyof Observed)[]).some(
    (field) => !isDeepStrictEqual(row[field] ?? null, observed[field] ?? null),
  )
