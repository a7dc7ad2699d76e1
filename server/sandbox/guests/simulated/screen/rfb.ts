import { type Line, type LineListener, type Picture } from '../../guest.ts'

/*
 * A server for RFB 3.8 (RFC 6143) without authentication. It supports true colour and the Raw
 * encoding, and sends the whole screen as one rectangle after any change.
 */

interface Screen {
  name: string
  picture(): Picture
  /** Calls `changed` after a change of the picture, and `ended` when the screen ends. */
  follow(listener: { changed(): void; ended(): void }): () => void
  key(symbol: number, isDown: boolean): void
}

interface PixelFormat {
  bits: number
  isBigEndian: boolean
  max: readonly [number, number, number]
  shift: readonly [number, number, number]
}

const ownFormat: PixelFormat = {
  bits: 32,
  isBigEndian: false,
  max: [255, 255, 255],
  shift: [16, 8, 0],
}

type State = 'version' | 'security' | 'init' | 'running'

/** The length of a client's message by its type, without a variable part. */
const messageBytes: Readonly<Record<number, number>> = { 0: 20, 2: 4, 3: 10, 4: 8, 5: 6, 6: 8 }

const largestTextBytes = 1024 * 1024

/** The connection of one client to a screen. */
export class RfbServer implements Line {
  readonly #screen: Screen
  readonly #listener: LineListener
  readonly #unfollow: () => void
  #state: State = 'version'
  #rest: Buffer = Buffer.alloc(0)
  #format = ownFormat
  #isWaiting = false
  #isStale = true

  constructor(screen: Screen, listener: LineListener) {
    this.#screen = screen
    this.#listener = listener
    this.#unfollow = screen.follow({
      changed: () => {
        this.#isStale = true
        if (this.#isWaiting) this.#update()
      },
      ended: () => listener.end(),
    })
    listener.data(Buffer.from('RFB 003.008\n'))
  }

  write(bytes: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, bytes])
    for (let taken = this.#take(); taken > 0; taken = this.#take())
      this.#rest = this.#rest.subarray(taken)
  }

  close(): void {
    this.#unfollow()
  }

  /** Handles the first complete message of the buffer. Returns its length, or 0 without one. */
  #take(): number {
    if (this.#rest.length === 0) return 0
    if (this.#state === 'version') return this.#version()
    if (this.#state === 'security') return this.#security()
    if (this.#state === 'init') return this.#init()
    return this.#message()
  }

  #version(): number {
    if (this.#rest.length < 12) return 0
    if (!/^RFB \d{3}\.\d{3}\n$/.test(this.#rest.toString('latin1', 0, 12))) return this.#hangUp()
    this.#listener.data(Buffer.from([1, noAuthentication]))
    this.#state = 'security'
    return 12
  }

  #security(): number {
    if (this.#rest[0] !== noAuthentication) return this.#hangUp()
    this.#listener.data(Buffer.alloc(4))
    this.#state = 'init'
    return 1
  }

  #init(): number {
    const { width, height } = this.#screen.picture()
    const name = Buffer.from(this.#screen.name)
    const header = Buffer.alloc(24)
    header.writeUInt16BE(width, 0)
    header.writeUInt16BE(height, 2)
    header.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4)
    header.writeUInt32BE(name.length, 20)
    this.#listener.data(Buffer.concat([header, name]))
    this.#state = 'running'
    return 1
  }

  #message(): number {
    const type = this.#rest[0] ?? 0
    const least = messageBytes[type]
    if (least === undefined) return this.#hangUp()
    if (this.#rest.length < least) return 0
    const length = least + this.#moreBytes(type)
    if (length > largestTextBytes) return this.#hangUp()
    if (this.#rest.length < length) return 0
    this.#follow(type)
    return length
  }

  /** The variable length of a list of encodings or a clipboard text. */
  #moreBytes(type: number): number {
    if (type === 2) return 4 * this.#rest.readUInt16BE(2)
    return type === 6 ? Math.abs(this.#rest.readInt32BE(4)) : 0
  }

  #follow(type: number): void {
    if (type === 0) this.#format = formatIn(this.#rest.subarray(4, 20)) ?? this.#format
    else if (type === 3) this.#requestUpdate(this.#rest[1] === 0)
    else if (type === 4) this.#screen.key(this.#rest.readUInt32BE(4), this.#rest[1] !== 0)
  }

  /** An incremental request is answered at the next change, a full one at once. */
  #requestUpdate(isFull: boolean): void {
    this.#isWaiting = true
    if (isFull || this.#isStale) this.#update()
  }

  #update(): void {
    this.#isWaiting = false
    this.#isStale = false
    const picture = this.#screen.picture()
    const header = Buffer.alloc(16)
    header.writeUInt16BE(1, 2)
    header.writeUInt16BE(picture.width, 8)
    header.writeUInt16BE(picture.height, 10)
    this.#listener.data(Buffer.concat([header, pixelsOf(picture, this.#format)]))
  }

  #hangUp(): 0 {
    this.#rest = Buffer.alloc(0)
    this.close()
    this.#listener.end()
    return 0
  }
}

const noAuthentication = 1

/** Returns null for a format that is unsupported, so that the previous format stays. */
function formatIn(bytes: Buffer): PixelFormat | null {
  const bits = bytes[0] ?? 0
  if (![8, 16, 32].includes(bits) || bytes[3] === 0) return null
  return {
    bits,
    isBigEndian: bytes[2] !== 0,
    max: [bytes.readUInt16BE(4), bytes.readUInt16BE(6), bytes.readUInt16BE(8)],
    shift: [bytes[10] ?? 0, bytes[11] ?? 0, bytes[12] ?? 0],
  }
}

function pixelsOf(
  { width, height, rgb }: Picture,
  { bits, isBigEndian, max, shift }: PixelFormat,
): Buffer {
  const bytes = bits / 8
  const pixels = Buffer.alloc(width * height * bytes)
  const scaled = (value: number, part: 0 | 1 | 2): number =>
    (Math.round((value * max[part]) / 255) << shift[part]) >>> 0
  for (let index = 0; index < width * height; index += 1) {
    const red = rgb[3 * index] ?? 0
    // Most pixels of a text screen are black, which is zero in every format.
    if (red === 0 && rgb[3 * index + 1] === 0 && rgb[3 * index + 2] === 0) continue
    const value =
      (scaled(red, 0) | scaled(rgb[3 * index + 1] ?? 0, 1) | scaled(rgb[3 * index + 2] ?? 0, 2)) >>>
      0
    if (isBigEndian) pixels.writeUIntBE(value, index * bytes, bytes)
    else pixels.writeUIntLE(value, index * bytes, bytes)
  }
  return pixels
}
