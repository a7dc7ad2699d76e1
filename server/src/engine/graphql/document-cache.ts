/**
 * Caches the latest compiled documents of callers. A caller that always sends new documents only
 * slows itself down.
 */
export class DocumentCache<Entry> {
  readonly #maxEntries: number
  readonly #entries = new Map<string, Entry>()

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(key: string, make: () => Entry): Entry {
    const cached = this.#entries.get(key)
    if (cached !== undefined) return cached
    const created = make()
    const [oldest] = this.#entries.keys()
    if (this.#entries.size >= this.#maxEntries && oldest !== undefined) this.#entries.delete(oldest)
    this.#entries.set(key, created)
    return created
  }
}
