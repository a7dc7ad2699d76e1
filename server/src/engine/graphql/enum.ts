/** Converts a list of states of the domain to the object that GraphQL enums need. */
export function enumOf<Word extends string>(words: readonly Word[]): { readonly [W in Word]: W } {
  // Every word maps to itself, as the type states.
  return Object.fromEntries(words.map((word) => [word, word])) as { [W in Word]: W }
}
