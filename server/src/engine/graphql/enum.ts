import { registerEnumType } from 'type-graphql'

/** Declares a GraphQL enum with the states of the domain as its values. */
export function enumOf<Word extends string>(
  name: string,
  words: readonly Word[],
  details?: Omit<Parameters<typeof registerEnumType<Record<Word, Word>>>[1], 'name'>,
): { readonly [W in Word]: W } {
  // Every word maps to itself, as the type states.
  const values = Object.fromEntries(words.map((word) => [word, word])) as { [W in Word]: W }
  registerEnumType(values, { name, ...details })
  return values
}
