/**
 * Keeps the last bytes of all that are pushed. Older bytes are dropped once it holds twice the
 * limit.
 */
export class ByteTail {
  readonly #limit: number
  #chunks: Uint8Array[] = []
  #held = 0
  #isCut = false

  constructor(limit: number) {
    this.#limit = limit
  }

  get isCut(): boolean {
    return this.#isCut || this.#held > this.#limit
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#held += bytes.length
    if (this.#held > 2 * this.#limit) this.#shrink()
  }

  bytes(): Buffer {
    this.#shrink()
    return Buffer.concat(this.#chunks)
  }

  #shrink(): void {
    if (this.#held > this.#limit) this.#isCut = true
    // The bytes are copied, because a view would retain the whole buffer.
    const last = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#limit))
    this.#chunks = [last]
    this.#held = last.length
  }
}
