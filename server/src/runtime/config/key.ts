import * as v from 'valibot'

type Schema = v.GenericSchema

/** Declares a key with a default. */
export const key = <S extends Schema, const D extends v.InferInput<S>>(
  description: string,
  schema: S,
  fallback: D,
) => v.optional(v.pipe(schema, v.description(description)), fallback)

/** Declares a key without a default. Null means that it is not set. */
export const open = <S extends Schema>(description: string, schema: S) =>
  v.nullish(v.pipe(schema, v.description(description)), null)

/** Declares a group of keys. When the file omits the group, its keys have their defaults. */
export const group = <E extends v.ObjectEntries>(entries: E) =>
  // No key of a group is required, so an empty object is a valid input.
  v.optional(v.strictObject(entries), {} as never)
