/* The frames of RFC 6455, as a server reads and writes them. */

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export interface Frame {
  opcode: number
  isFinal: boolean
  payload: Buffer
}

/** Why a connection must end, with the code that says so. */
export class ProtocolBreach extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Takes bytes as they come and gives out whole frames; what a client may not send ends it. */
export class FrameReader {
  readonly #maxBytes: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  read(bytes: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: Frame[] = []
    for (let frame = this.#next(); frame; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame | null {
    if (this.#rest.length < 2) return null
    const first = this.#rest[0] ?? 0
    checkHeader(this.#rest)
    const size = sizeIn(this.#rest)
    if (size === null) return null
    if (size.bytes > this.#maxBytes) throw new ProtocolBreach(1009, 'a frame is too large')
    const start = size.end + 4
    const end = start + size.bytes
    if (this.#rest.length < end) return null
    const payload = unmasked(this.#rest.subarray(start, end), this.#rest.subarray(size.end, start))
    this.#rest = this.#rest.subarray(end)
    return { opcode: first & 0x0f, isFinal: (first & 0x80) !== 0, payload }
  }
}

function checkHeader([first = 0, second = 0]: Buffer): void {
  if ((first & 0x70) !== 0) throw new ProtocolBreach(1002, 'reserved bits are set')
  if ((second & 0x80) === 0) throw new ProtocolBreach(1002, 'a frame of a client is not masked')
  const isControl = (first & 0x0f) >= opcodes.close
  const isWhole = (first & 0x80) !== 0 && (second & 0x7f) <= 125
  if (isControl && !isWhole)
    throw new ProtocolBreach(1002, 'a control frame is too long or in parts')
}

/** How long the payload is and where the header's length ends; null while that has not come. */
function sizeIn(bytes: Buffer): { bytes: number; end: number } | null {
  const short = (bytes[1] ?? 0) & 0x7f
  if (short < 126) return { bytes: short, end: 2 }
  const end = short === 126 ? 4 : 10
  if (bytes.length < end) return null
  return { bytes: short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2)), end }
}

function unmasked(payload: Buffer, mask: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(payload.length)
  for (let index = 0; index < payload.length; index += 1)
    plain[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
  return plain
}

export function frameOf(opcode: number, payload: Buffer): Buffer {
  const length = payload.length
  if (length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, length]), payload])
  const header = Buffer.alloc(length < 65_536 ? 4 : 10)
  header[0] = 0x80 | opcode
  header[1] = length < 65_536 ? 126 : 127
  if (length < 65_536) header.writeUInt16BE(length, 2)
  else header.writeBigUInt64BE(BigInt(length), 2)
  return Buffer.concat([header, payload])
}
