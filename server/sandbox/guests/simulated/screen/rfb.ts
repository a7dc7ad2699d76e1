import { type Line, type LineListener, type Picture } from '../../guest.ts'

/*
 * RFB 3.8 (RFC 6143) as a server: no authentication, true colour, Raw rectangles, the whole screen
 * in one when anything changed.
 */

interface Screen {
  name: string
  picture(): Picture
  /** Calls when the picture is not the last one any more, and when there is none any more. */
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

/** How long a client's message is, by its first byte; the text of the longer ones comes on top. */
const messageBytes: Readonly<Record<number, number>> = { 0: 20, 2: 4, 3: 10, 4: 8, 5: 6, 6: 8 }

const largestTextBytes = 1024 * 1024

/** One visitor of a screen. */
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

  /** How many bytes of what has come were a whole message; it has been followed then. */
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

  /** Of a list of encodings and of a text on the clipboard. */
  #moreBytes(type: number): number {
    if (type === 2) return 4 * this.#rest.readUInt16BE(2)
    return type === 6 ? Math.abs(this.#rest.readInt32BE(4)) : 0
  }

  #follow(type: number): void {
    if (type === 0) this.#format = formatIn(this.#rest.subarray(4, 20)) ?? this.#format
    else if (type === 3) this.#asked(this.#rest[1] === 0)
    else if (type === 4) this.#screen.key(this.#rest.readUInt32BE(4), this.#rest[1] !== 0)
  }

  /** One who has it all wants to hear of the next change only. */
  #asked(wantsAll: boolean): void {
    this.#isWaiting = true
    if (wantsAll || this.#isStale) this.#update()
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

/** Null for what is no true colour of whole bytes: we go on as before then. */
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
    // Most of a screen of text is black, which is nothing in every format.
    if (red === 0 && rgb[3 * index + 1] === 0 && rgb[3 * index + 2] === 0) continue
    const value =
      (scaled(red, 0) | scaled(rgb[3 * index + 1] ?? 0, 1) | scaled(rgb[3 * index + 2] ?? 0, 2)) >>>
      0
    if (isBigEndian) pixels.writeUIntBE(value, index * bytes, bytes)
    else pixels.writeUIntLE(value, index * bytes, bytes)
  }
  return pixels
}
