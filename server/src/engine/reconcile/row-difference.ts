import { isDeepStrictEqual } from 'node:util'
import { parsedJson, storedJson } from '../model/message.ts'

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
    (field) => !isSame(row[field] ?? null, observed[field] ?? null),
  )

/** A driver may return JSON without its messages revived. */
const isSame = (stored: unknown, observed: unknown): boolean =>
  isDeepStrictEqual(stored, observed) ||
  (typeof stored === 'object' && isDeepStrictEqual(parsedJson(storedJson(stored)), observed))
