import { type RawData, type WebSocket } from 'ws'

/** The way into the guest. */
export interface ConsoleLine {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Resolves when there is room for more. */
  write(bytes: Uint8Array): Promise<void>
  close(): void
}

export interface Carrying {
  socket: WebSocket
  line: ConsoleLine
  /** Called with everything that goes either way. */
  heard: () => void
}

/**
 * Carries bytes both ways until the line ends. Neither side is read faster than the other takes it:
 * of what the visitor sends one message waits here, with what its network packet brought along, and
 * of what the guest says one chunk.
 */
export class Carriage {
  readonly #parts: Carrying
  #writes = Promise.resolve()
  #waiting = 0

  constructor(parts: Carrying) {
    this.#parts = parts
    // Text is taken for the bytes that it is made of: terminals in browsers send what is typed so.
    parts.socket.on('message', (data) => this.#toGuest(bytesOf(data)))
  }

  /** Whether the guest is slower than the visitor, who is not listened to meanwhile. */
  get isHeldBack(): boolean {
    return this.#waiting > 0
  }

  async run(): Promise<void> {
    const { socket, line, heard } = this.#parts
    for await (const bytes of line.bytes) {
      heard()
      if (socket.readyState !== socket.OPEN) return
      await new Promise<void>((done) => socket.send(bytes, { binary: true }, () => done()))
    }
  }

  #toGuest(bytes: Uint8Array): void {
    const { socket, line, heard } = this.#parts
    heard()
    this.#waiting += 1
    socket.pause()
    this.#writes = this.#writes
      .then(() => line.write(bytes))
      .finally(() => {
        this.#waiting -= 1
        if (this.#waiting === 0) socket.resume()
      })
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
