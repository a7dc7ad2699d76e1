import { randomInt } from 'node:crypto'

// The alphabet has no vowels and look-alikes, so that no words result.
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

/** The random suffix that the API server adds to a generated name. */
export const nameSuffix = (): string =>
  Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
