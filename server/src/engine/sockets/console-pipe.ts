import { type RawData, type WebSocket } from 'ws'

/** The byte stream of the guest's console or screen. */
export interface GuestStream {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Resolves when the stream accepts more bytes. */
  write(bytes: Uint8Array): Promise<void>
  close(): void
}

export interface ConsolePipeParts {
  socket: WebSocket
  guest: GuestStream
  /** Called for every message in either direction. */
  onActivity: () => void
}

/**
 * Copies bytes both ways until the guest's stream ends. Neither side is read faster than the other
 * accepts. At most one message of the client and one chunk of the guest wait here, plus messages
 * that arrived in the same network packet.
 */
export class ConsolePipe {
  readonly #parts: ConsolePipeParts
  #pendingWrite = Promise.resolve()
  #queuedMessages = 0

  constructor(parts: ConsolePipeParts) {
    this.#parts = parts
    // Text frames count as their UTF-8 bytes, because browser terminals send typed input as text.
    parts.socket.on('message', (data) => this.#toGuest(bytesOf(data)))
  }

  /** True while the guest is slower than the client, whose socket is then paused. */
  get isPaused(): boolean {
    return this.#queuedMessages > 0
  }

  async run(): Promise<void> {
    const { socket, guest, onActivity } = this.#parts
    for await (const bytes of guest.bytes) {
      onActivity()
      if (socket.readyState !== socket.OPEN) return
      await new Promise<void>((done) => socket.send(bytes, { binary: true }, () => done()))
    }
  }

  #toGuest(bytes: Uint8Array): void {
    const { socket, guest, onActivity } = this.#parts
    onActivity()
    this.#queuedMessages += 1
    socket.pause()
    this.#pendingWrite = this.#pendingWrite
      .then(() => guest.write(bytes))
      .finally(() => {
        this.#queuedMessages -= 1
        if (this.#queuedMessages === 0) socket.resume()
      })
  }
}

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data)
  return Buffer.isBuffer(data) ? data : Buffer.from(data)
}
