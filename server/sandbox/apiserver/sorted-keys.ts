/** Keys in order, kept by binary insertion: a page of a long list must not sort the list. */
export class SortedKeys {
  readonly #keys: string[] = []

  get length(): number {
    return this.#keys.length
  }

  /** The first position whose key is not smaller. */
  position(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#keys[middle] ?? '') < key) low = middle + 1
      else high = middle
    }
    return low
  }

  add(key: string): void {
    const at = this.position(key)
    if (this.#keys[at] !== key) this.#keys.splice(at, 0, key)
  }

  remove(key: string): void {
    const at = this.position(key)
    if (this.#keys[at] === key) this.#keys.splice(at, 1)
  }

  /** All keys with the prefix, in order. */
  withPrefix(prefix: string): string[] {
    if (prefix === '') return [...this.#keys]
    return this.#keys.slice(this.position(prefix), this.position(`${prefix}\uffff`))
  }
}
