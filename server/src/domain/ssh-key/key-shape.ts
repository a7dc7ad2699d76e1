import { type Curve, isOnCurve } from './curve.ts'
import { type KeyType, damaged } from './key-line.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Checks the fields of a key after its type; null when they are valid. */
type Check = (fields: readonly Uint8Array[]) => Message | null

const minRsaBits = 2048
// OpenSSH accepts no longer keys.
const maxRsaBits = 16_384
const ed25519Bytes = 32

const checks: Record<KeyType, Check> = {
  'ssh-ed25519': (fields) => damagedUnless(isEd25519(fields)),
  'ssh-rsa': rsaMistake,
  'ecdsa-sha2-nistp256': (fields) => damagedUnless(isEcdsa(fields, 'nistp256')),
  'ecdsa-sha2-nistp384': (fields) => damagedUnless(isEcdsa(fields, 'nistp384')),
  'ecdsa-sha2-nistp521': (fields) => damagedUnless(isEcdsa(fields, 'nistp521')),
  'sk-ssh-ed25519@openssh.com': (fields) =>
    damagedUnless(isOfApplication(fields) && isEd25519(fields.slice(0, -1))),
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) =>
    damagedUnless(isOfApplication(fields) && isEcdsa(fields.slice(0, -1), 'nistp256')),
}

/**
 * Returns what is wrong with the bytes of a public SSH key of this type, as text for its owner;
 * null when they are valid.
 */
export function mistakeIn(type: KeyType, bytes: Uint8Array): Message | null {
  const [inner, ...fields] = fieldsOf(bytes) ?? []
  if (!inner) return damaged
  const innerType = textOf(inner)
  if (innerType === type) return checks[type](fields)
  // The inner type is untrusted, so it is shown only when it looks like a key type.
  if (!/^[\w@.-]{1,60}$/.test(innerType)) return damaged
  return messageOf('ssh.key_type_other', { type, inner: innerType })
}

/**
 * Splits the wire format of SSH: each field is preceded by its length in four bytes. Null when a
 * length is wrong.
 */
function fieldsOf(bytes: Uint8Array): Uint8Array[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return null
    const end = at + 4 + view.getUint32(at)
    if (end > bytes.length) return null
    fields.push(bytes.subarray(at + 4, end))
    at = end
  }
  return fields
}

const damagedUnless = (isGood: boolean): Message | null => (isGood ? null : damaged)

const isEd25519 = (fields: readonly Uint8Array[]): boolean =>
  fields.length === 1 && fields[0]?.length === ed25519Bytes

function isEcdsa([curve, point, ...more]: readonly Uint8Array[], name: Curve): boolean {
  return (
    curve !== undefined &&
    point !== undefined &&
    more.length === 0 &&
    textOf(curve) === name &&
    isOnCurve(name, point)
  )
}

/** Checks the last field of a key on a security token: its application, mostly `ssh:`. */
function isOfApplication(fields: readonly Uint8Array[]): boolean {
  const application = fields.at(-1)
  return application !== undefined && application.length > 0 && !application.includes(0)
}

function rsaMistake([exponent, modulus, ...more]: readonly Uint8Array[]): Message | null {
  if (
    !exponent ||
    !modulus ||
    more.length > 0 ||
    !isOddNumber(exponent) ||
    !isOddNumber(modulus) ||
    isOne(exponent)
  )
    return damaged
  const bits = bitsOf(modulus)
  if (bits < minRsaBits) return messageOf('ssh.key_weak', { bits, least: minRsaBits })
  return bits > maxRsaBits ? messageOf('ssh.key_too_long', { bits, most: maxRsaBits }) : null
}

/**
 * True for a positive odd number in its shortest form. Other forms would allow the same key to be
 * registered twice.
 */
function isOddNumber(bytes: Uint8Array): boolean {
  const [first, second = 0] = bytes
  const isMinimal = first !== undefined && first < 0x80 && (first > 0 || second >= 0x80)
  return isMinimal && ((bytes.at(-1) ?? 0) & 1) === 1
}

const isOne = (bytes: Uint8Array): boolean => bytes.length === 1 && bytes[0] === 1

function bitsOf(bytes: Uint8Array): number {
  const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes
  return digits.length * 8 - (Math.clz32(digits[0] ?? 0) - 24)
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
