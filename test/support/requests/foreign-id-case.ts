/**
 * A field with an id argument, and the noun of the other tenant's object that the id could name.
 */
export type ForeignIdCase = [
  noun: string,
  name: string,
  document: (id: string) => [string, Record<string, unknown>],
]
