/*
 * Encodes the part of DER (X.690) that a certificate needs. Node reads certificates but cannot
 * write them.
 */

function element(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest >>= 8) bytes.unshift(rest & 0xff)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) bytes.push(...base128(arc))
  return element(0x06, Buffer.from(bytes))
}

function base128(arc: number): number[] {
  const groups = [arc & 0x7f]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

/**
 * Encodes a positive integer. A zero byte precedes a leading one bit, which would be read as a
 * sign.
 */
function integer(bytes: Buffer): Buffer {
  return element(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** UTCTime, YYMMDDHHMMSSZ, which RFC 5280 requires until 2049. It cannot encode later dates. */
const time = (at: Date): Buffer =>
  element(
    0x17,
    Buffer.from(
      at
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(2),
      'ascii',
    ),
  )

export const der = {
  sequence: (...parts: Buffer[]): Buffer => element(0x30, Buffer.concat(parts)),
  set: (...parts: Buffer[]): Buffer => element(0x31, Buffer.concat(parts)),
  utf8: (value: string): Buffer => element(0x0c, Buffer.from(value, 'utf8')),
  octets: (value: Buffer): Buffer => element(0x04, value),
  bits: (value: Buffer, unused = 0): Buffer =>
    element(0x03, Buffer.concat([Buffer.from([unused]), value])),
  boolean: (value: boolean): Buffer => element(0x01, Buffer.from([value ? 0xff : 0])),
  /** Context-specific tag: constructed for wrappers, primitive for implicit strings. */
  tagged: (tag: number, content: Buffer, constructed = true): Buffer =>
    element((constructed ? 0xa0 : 0x80) | tag, content),
  objectIdentifier,
  integer,
  time,
}
