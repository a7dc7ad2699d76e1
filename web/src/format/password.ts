// The alphabet has no look-alikes, because users read a password aloud or type it from the screen.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Returns 24 random characters in four groups, about 138 bits. */
export function generatePassword(
  random: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array = (bytes) => crypto.getRandomValues(bytes),
): string {
  const letters: string[] = []
  // Bytes past the last whole multiple are drawn again. Otherwise the first letters would be
  // likelier.
  const limit = 256 - (256 % alphabet.length)
  while (letters.length < 24) {
    for (const byte of random(new Uint8Array(32))) {
      if (byte < limit && letters.length < 24) letters.push(alphabet.charAt(byte % alphabet.length))
    }
  }
  return [0, 6, 12, 18].map((at) => letters.slice(at, at + 6).join('')).join('-')
}
