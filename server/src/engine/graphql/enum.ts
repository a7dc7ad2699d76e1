/** The domain keeps its states as lists of words; GraphQL wants an object of them. */
export function enumOf<Word extends string>(words: readonly Word[]): { readonly [W in Word]: W } {
  // Every word maps to itself, which is what the type says.
  return Object.fromEntries(words.map((word) => [word, word])) as { [W in Word]: W }
}
