import { randomInt } from 'node:crypto'

// Without vowels and look-alikes, so that no words come out.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** What the API server adds to a generated name. */
export const nameSuffix = (): string =>
  Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
