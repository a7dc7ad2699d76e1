import { type Curve, isOnCurve } from './curve.ts'
import { type KeyType, damaged } from './key-line.ts'
import { type Message, messageOf } from '../../engine/model/message.ts'

/** Says what is wrong with the fields of a key after its type; null when nothing is. */
type Check = (fields: readonly Uint8Array[]) => Message | null

const fewestRsaBits = 2048
// OpenSSH takes no longer ones.
const mostRsaBits = 16_384
const ed25519Bytes = 32

const checks: Record<KeyType, Check> = {
  'ssh-ed25519': (fields) => wrongUnless(isEd25519(fields)),
  'ssh-rsa': rsaMistake,
  'ecdsa-sha2-nistp256': (fields) => wrongUnless(isEcdsa(fields, 'nistp256')),
  'ecdsa-sha2-nistp384': (fields) => wrongUnless(isEcdsa(fields, 'nistp384')),
  'ecdsa-sha2-nistp521': (fields) => wrongUnless(isEcdsa(fields, 'nistp521')),
  'sk-ssh-ed25519@openssh.com': (fields) =>
    wrongUnless(isOfApplication(fields) && isEd25519(fields.slice(0, -1))),
  'sk-ecdsa-sha2-nistp256@openssh.com': (fields) =>
    wrongUnless(isOfApplication(fields) && isEcdsa(fields.slice(0, -1), 'nistp256')),
}

/**
 * What is wrong with the bytes of a key that calls itself by this type, in words for its owner;
 * null when nothing is.
 */
export function mistakeIn(type: KeyType, bytes: Uint8Array): Message | null {
  const [inner, ...fields] = fieldsOf(bytes) ?? []
  if (!inner) return damaged
  const innerType = textOf(inner)
  if (innerType === type) return checks[type](fields)
  // Anything may stand in there; a type is only named when it can be one.
  if (!/^[\w@.-]{1,60}$/.test(innerType)) return damaged
  return messageOf('ssh.key_type_other', { type, inner: innerType })
}

/**
 * SSH writes every field as its length in four bytes and then the field. Null when the lengths do
 * not add up.
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

const wrongUnless = (isGood: boolean): Message | null => (isGood ? null : damaged)

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

/** Keys on a token say at their end for what they were made, mostly `ssh:`. */
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
  if (bits < fewestRsaBits) return messageOf('ssh.key_weak', { bits, least: fewestRsaBits })
  return bits > mostRsaBits ? messageOf('ssh.key_too_long', { bits, most: mostRsaBits }) : null
}

/**
 * Positive, odd, and in the one form that a number has: otherwise one key could be registered in
 * two forms.
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
