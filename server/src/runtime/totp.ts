import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * One-time codes of authenticator apps (RFC 6238): SHA-1, six digits, a new code every 30 seconds.
 * Authenticator apps ignore other parameters of the URL, so there is no choice.
 */

const stepSeconds = 30
const digits = 6
/** Codes of the previous and the next step are valid, because clocks of phones differ. */
const toleranceSteps = 1
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the number of the time step that contains the time. */
export const totpStep = (timeMs: number): number => Math.floor(timeMs / 1000 / stepSeconds)

/** Returns the code of a time step. */
export function totpCode(secret: Uint8Array, step: number, length = digits): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** length).padStart(length, '0')
}

/**
 * Returns the time step whose code this is, or null. Only steps after `lastStep` count, so that a
 * code works once. Each call compares all codes in constant time.
 */
export function matchingTotpStep(
  code: string,
  { secret, timeMs, lastStep }: { secret: Uint8Array; timeMs: number; lastStep: number },
): number | null {
  const sent = Buffer.from(code)
  const now = totpStep(timeMs)
  let matching: number | null = null
  for (let step = now - toleranceSteps; step <= now + toleranceSteps; step++) {
    const expected = Buffer.from(totpCode(secret, step))
    const isEqual = sent.length === expected.length && timingSafeEqual(sent, expected)
    if (isEqual && step > lastStep) matching ??= step
  }
  return matching
}

/** Encodes bytes in base32 (RFC 4648) without padding, as authenticator apps read it. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Decodes base32. Throws for other characters. */
export function bytesFromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) => {
    const value = alphabet.indexOf(character)
    if (value === -1) throw new TypeError('the text is not base32')
    return value.toString(2).padStart(5, '0')
  }).join('')
  const octets = bits.match(/.{8}/g) ?? []
  return Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)))
}

/** Returns the URL that an authenticator app reads from a QR code. */
export function totpUrl({
  issuer,
  account,
  secret,
}: {
  issuer: string
  account: string
  secret: string
}): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
