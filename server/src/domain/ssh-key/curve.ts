/*
 * Checks the points of ECDSA keys. A public SSH key whose point is not on its curve looks valid,
 * but no SSH server accepts it.
 */

export type Curve = 'nistp256' | 'nistp384' | 'nistp521'

/** The prime p and the constant b of y² = x³ − 3x + b, from FIPS 186. */
const curves: Record<Curve, { bytes: number; p: bigint; b: bigint }> = {
  nistp256: {
    bytes: 32,
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  nistp384: {
    bytes: 48,
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: bigOf(
      'b3312fa7e23ee7e4988e056be3f82d19',
      '181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef',
    ),
  },
  nistp521: {
    bytes: 66,
    p: 2n ** 521n - 1n,
    b: bigOf(
      '0051',
      '953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e1',
      '56193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00',
    ),
  },
}

const uncompressed = 4

/** True when the bytes are an uncompressed point on the curve. SSH servers accept no other form. */
export function isOnCurve(curve: Curve, point: Uint8Array): boolean {
  const { bytes, p, b } = curves[curve]
  if (point.length !== 1 + 2 * bytes || point[0] !== uncompressed) return false
  const x = numberOf(point.subarray(1, 1 + bytes))
  const y = numberOf(point.subarray(1 + bytes))
  return x < p && y < p && (y * y - (x * x * x - 3n * x + b)) % p === 0n
}

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

/** Parses hexadecimal digits. */
function bigOf(...digits: readonly string[]): bigint {
  return BigInt(`0x${digits.join('')}`)
}
