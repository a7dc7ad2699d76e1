/** A field of a message: a number, or bytes that are a string or a message. */
export interface WireField {
  number: number
  value: bigint | Buffer
}

export class WireError extends Error {
  override name = 'WireMistake'
}

/** Yields the fields of a message in order. */
export function* wireFields(bytes: Buffer): Generator<WireField> {
  for (let at = 0; at < bytes.length;) {
    const tag = varintAt(bytes, at)
    const number = Number(tag.value >> 3n)
    const { value, end } = valueAt(bytes, tag.end, Number(tag.value & 7n))
    at = end
    yield { number, value }
  }
}

interface Read<T> {
  value: T
  end: number
}

function valueAt(bytes: Buffer, at: number, type: number): Read<bigint | Buffer> {
  if (type === 0) return varintAt(bytes, at)
  if (type === 1) return part(bytes, at, 8)
  if (type === 5) return part(bytes, at, 4)
  if (type !== 2) throw new WireError(`proto: illegal wireType ${type}`)
  const length = varintAt(bytes, at)
  return part(bytes, length.end, Number(length.value))
}

function part(bytes: Buffer, at: number, length: number): Read<Buffer> {
  if (at + length > bytes.length) throw new WireError('unexpected EOF')
  return { value: bytes.subarray(at, at + length), end: at + length }
}

function varintAt(bytes: Buffer, at: number): Read<bigint> {
  let value = 0n
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) throw new WireError('unexpected EOF')
    value |= BigInt(byte & 127) << BigInt(7 * index)
    if (byte < 128) return { value: BigInt.asIntN(64, value), end: at + index + 1 }
  }
  throw new WireError('proto: integer overflow')
}
