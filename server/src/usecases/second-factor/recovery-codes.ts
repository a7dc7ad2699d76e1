import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../runtime/ids.ts'
import { base32 } from '../../runtime/totp.ts'

const count = 10
// 120 bits: random enough that a fast hash protects the code.
const bytes = 15

/** Returns new recovery codes, in groups of four characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () => (base32(randomBytes(bytes)).match(/.{4}/g) ?? []).join('-'))

export const recoveryHashes = (codes: readonly string[]): string[] =>
  codes.map((code) => hashOf(code.replaceAll('-', '')))

/**
 * Returns the hashes without that of the code, which is used once. Null when the code matches none.
 */
export function withoutUsedCode(hashes: readonly string[], code: string): string[] | null {
  const sent = Buffer.from(hashOf(code))
  const left = hashes.filter((hash) => !timingSafeEqual(Buffer.from(hash), sent))
  return left.length < hashes.length ? left : null
}

const hashOf = (code: string): string => sha256(code).toString('hex')
