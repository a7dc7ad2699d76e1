/**
 * The most characters of all cached documents. A parsed and compiled document needs about a hundred
 * bytes of memory for each of them.
 */
const maxCharacters = 256 * 1024

/** Longer texts are rarely sent twice, so they are not cached. */
export const maxCachedLength = 8_192

interface Cached<Entry> {
  entry: Entry
  characters: number
}

/**
 * Caches the latest documents of callers. A caller that always sends new documents only slows
 * itself down.
 */
export class DocumentCache<Entry> {
  readonly #cached = new Map<string, Cached<Entry>>()
  #characters = 0

  find(key: string): Entry | undefined {
    const found = this.#cached.get(key)
    if (!found) return undefined
    // The least recently used document is the first to go.
    this.#cached.delete(key)
    this.#cached.set(key, found)
    return found.entry
  }

  add(key: string, entry: Entry, characters: number): void {
    if (characters > maxCachedLength) return
    this.delete(key)
    this.#cached.set(key, { entry, characters })
    this.#characters += characters
    for (const oldest of this.#cached.keys()) {
      if (this.#characters <= maxCharacters) return
      this.delete(oldest)
    }
  }

  delete(key: string): boolean {
    this.#characters -= this.#cached.get(key)?.characters ?? 0
    return this.#cached.delete(key)
  }

  get(key: string, characters: number, make: () => Entry): Entry {
    const found = this.find(key)
    if (found !== undefined) return found
    const made = make()
    this.add(key, made, characters)
    return made
  }
}
