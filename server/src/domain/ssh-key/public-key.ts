import { invalid } from '../../engine/model/name.ts'
import { type KeyType, damaged, keyLineFrom } from './key-line.ts'
import { mistakeIn } from './key-shape.ts'

export interface PublicKey {
  type: KeyType
  /** Type and key on one line, without the comment: safe to be put into a file of keys as it is. */
  line: string
  /** What fingerprints are made of. */
  bytes: Uint8Array
}

/**
 * The one public key that a caller typed, checked down to its numbers; refused with what to do
 * otherwise.
 */
export function requirePublicKey(text: string, path = 'publicKey'): PublicKey {
  const { type, base64 } = keyLineFrom(text, path)
  const bytes = Buffer.from(base64, 'base64')
  // Buffer skips over what is no base64; only the canonical form comes back the same.
  if (bytes.toString('base64') !== base64) throw invalid(path, damaged)
  const mistake = mistakeIn(type, bytes)
  if (mistake !== null) throw invalid(path, mistake)
  return { type, line: `${type} ${base64}`, bytes }
}
