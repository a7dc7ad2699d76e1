import { invalid } from '../../engine/model/name.ts'
import { type KeyType, damaged, keyLineFrom } from './key-line.ts'
import { mistakeIn } from './key-shape.ts'

export interface PublicKey {
  type: KeyType
  /** Type and key on one line without the comment, safe to write into authorized_keys. */
  line: string
  /** The bytes that the fingerprint is computed from. */
  bytes: Uint8Array
}

/** Parses one public key and checks all its fields. Refuses invalid text with a remedy. */
export function requirePublicKey(text: string, path = 'publicKey'): PublicKey {
  const { type, base64 } = keyLineFrom(text, path)
  const bytes = Buffer.from(base64, 'base64')
  // Buffer ignores invalid characters, so only canonical base64 survives the round trip.
  if (bytes.toString('base64') !== base64) throw invalid(path, damaged)
  const mistake = mistakeIn(type, bytes)
  if (mistake !== null) throw invalid(path, mistake)
  return { type, line: `${type} ${base64}`, bytes }
}
