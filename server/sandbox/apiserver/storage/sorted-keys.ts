const maxRunLength = 512

/**
 * Keys in order, maintained by binary insertion, so that a page of a long list does not sort the
 * list. Short runs keep insertions cheap, because one long array would be moved for each change.
 */
export class SortedKeys {
  readonly #runs: string[][] = [[]]

  add(key: string): void {
    const index = this.#runFor(key)
    const run = this.#runs[index] ?? []
    const at = position(run, key)
    if (run[at] === key) return
    run.splice(at, 0, key)
    if (run.length > maxRunLength) this.#runs.splice(index + 1, 0, run.splice(maxRunLength / 2))
  }

  remove(key: string): void {
    const index = this.#runFor(key)
    const run = this.#runs[index] ?? []
    const at = position(run, key)
    if (run[at] !== key) return
    run.splice(at, 1)
    if (run.length === 0 && this.#runs.length > 1) this.#runs.splice(index, 1)
  }

  /** Returns all keys with the prefix in order. */
  withPrefix(prefix: string): string[] {
    if (prefix === '') return this.#runs.flat()
    const end = `${prefix}\uffff`
    const runs = this.#runs.slice(this.#runFor(prefix), this.#runFor(end) + 1)
    return runs.flatMap((run) => run.slice(position(run, prefix), position(run, end)))
  }

  /** Returns the index of the run for a key: the last run that does not begin after it. */
  #runFor(key: string): number {
    let low = 0
    let high = this.#runs.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.#runs[middle]?.[0] ?? '') <= key) low = middle
      else high = middle - 1
    }
    return low
  }
}

/** Returns the first position whose key is not smaller. */
function position(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
