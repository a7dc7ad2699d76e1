/** Of all the bytes that are pushed, the last ones: never much more is held than was asked for. */
export class ByteTail {
  readonly #most: number
  #chunks: Uint8Array[] = []
  #held = 0
  #isCut = false

  constructor(most: number) {
    this.#most = most
  }

  get isCut(): boolean {
    return this.#isCut || this.#held > this.#most
  }

  push(bytes: Uint8Array): void {
    this.#chunks.push(bytes)
    this.#held += bytes.length
    if (this.#held > 2 * this.#most) this.#shrink()
  }

  bytes(): Buffer {
    this.#shrink()
    return Buffer.concat(this.#chunks)
  }

  #shrink(): void {
    if (this.#held > this.#most) this.#isCut = true
    // A copy: a view would hold on to all that it was cut from.
    const last = Buffer.from(Buffer.concat(this.#chunks).subarray(-this.#most))
    this.#chunks = [last]
    this.#held = last.length
  }
}
