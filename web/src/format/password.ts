// No letters that look alike: a password that is shown once is often read aloud or typed over.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Twenty-four random characters in groups, about 138 bits. */
export function generatePassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  const letters: string[] = []
  // Bytes beyond the last whole multiple are drawn again, or the first letters would come up more
  // often.
  const limit = 256 - (256 % alphabet.length)
  while (letters.length < 24) {
    for (const byte of random(new Uint8Array(32))) {
      if (byte < limit && letters.length < 24) letters.push(alphabet.charAt(byte % alphabet.length))
    }
  }
  return [0, 6, 12, 18].map((at) => letters.slice(at, at + 6).join('')).join('-')
}
