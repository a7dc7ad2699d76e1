import { slot } from './statement.ts'

export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The columns of an update of these fields, whose values are given when it is sent. */
export const columnsFrom = (fields: object): Record<string, ReturnType<typeof slot>> =>
  Object.fromEntries(Object.keys(fields).map((name) => [columnOf(name), slot(name)]))
