/**
 * Keeps the latest compiled documents of callers; a caller that sends ever new ones only hurts its
 * own speed.
 */
export class DocumentCache<Entry> {
  readonly #most: number
  readonly #entries = new Map<string, Entry>()

  constructor(most: number) {
    this.#most = most
  }

  get(key: string, make: () => Entry): Entry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const made = make()
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, made)
    return made
  }
}
