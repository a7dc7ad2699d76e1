import { createHash } from 'node:crypto'

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const digest = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** So many bytes of the digest, again and again. */
const stretched = (bytes: Buffer, length: number): Buffer => Buffer.alloc(length, bytes)

/**
 * Crypt's method 6 with the salt and the rounds of the given hash: what `/etc/shadow` of a Linux
 * guest holds.
 */
export function sha512Crypt(password: string, like: string): string {
  const { salt, rounds, prefix } = settingsIn(like)
  const word = Buffer.from(password)
  let result = firstDigest(word, salt)
  const wordBytes = stretched(digest(...Array.from(word, () => word)), word.length)
  const saltBytes = stretched(
    digest(...Array.from({ length: 16 + (result[0] ?? 0) }, () => salt)),
    Buffer.byteLength(salt),
  )
  for (let round = 0; round < rounds; round += 1) {
    const isOdd = round % 2 === 1
    const parts = [isOdd ? wordBytes : result]
    if (round % 3 !== 0) parts.push(saltBytes)
    if (round % 7 !== 0) parts.push(wordBytes)
    parts.push(isOdd ? result : wordBytes)
    result = digest(...parts)
  }
  return `$6$${prefix}${salt}$${encoded(result)}`
}

function settingsIn(hash: string): { salt: string; rounds: number; prefix: string } {
  const [, asked, salt = ''] = /^\$6\$(?:rounds=(\d+)\$)?([^$]{0,16})/.exec(hash) ?? []
  if (asked === undefined) return { salt, rounds: 5000, prefix: '' }
  return {
    salt,
    rounds: Math.min(999_999, Math.max(1000, Number(asked))),
    prefix: `rounds=${asked}$`,
  }
}

function firstDigest(word: Buffer, salt: string): Buffer {
  const other = digest(word, salt, word)
  const parts: (Buffer | string)[] = [word, salt, stretched(other, word.length)]
  for (let bits = word.length; bits > 0; bits >>= 1) parts.push((bits & 1) === 1 ? other : word)
  return digest(...parts)
}

/** Three bytes at a time, taken from each third of the digest in turn, six bits a letter. */
function encoded(bytes: Buffer): string {
  const at = (index: number): number => bytes[index] ?? 0
  let text = ''
  for (let step = 0; step < 21; step += 1) {
    const thirds = [step, step + 21, step + 42]
    const [a = 0, b = 0, c = 0] = [0, 1, 2].map((turn) => at(thirds[(turn + step) % 3] ?? 0))
    text += letters((a << 16) | (b << 8) | c, 4)
  }
  return text + letters(at(63), 2)
}

function letters(value: number, count: number): string {
  let text = ''
  for (let index = 0, rest = value; index < count; index += 1, rest >>= 6)
    text += alphabet[rest & 63] ?? ''
  return text
}
