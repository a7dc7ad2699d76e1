import { slot } from './statement.ts'

/** Returns the column of an entity property: `created_at` for `createdAt`. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Maps fields to update columns. The values are bound when the statement is sent. */
export const columnsFrom = (fields: object): Record<string, ReturnType<typeof slot>> =>
  Object.fromEntries(Object.keys(fields).map((name) => [columnOf(name), slot(name)]))
