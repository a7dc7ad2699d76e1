/** Terminal input for keys that are no characters, by their X11 keysym. */
const special: Readonly<Record<number, string>> = {
  0xff08: '\u007f',
  0xff09: '\t',
  0xff0d: '\r',
  0xff8d: '\r',
  0xff1b: '\u001b',
  0xff52: '\u001b[A',
  0xff54: '\u001b[B',
}

const controls: ReadonlySet<number> = new Set([0xffe3, 0xffe4])

/** Translates presses and releases of keys into terminal input. */
export class Keyboard {
  readonly #held = new Set<number>()

  press(symbol: number, isDown: boolean): string {
    if (controls.has(symbol)) {
      if (isDown) this.#held.add(symbol)
      else this.#held.delete(symbol)
      return ''
    }
    if (!isDown) return ''
    const known = special[symbol]
    if (known !== undefined) return known
    if (symbol < 0x20 || symbol > 0xff) return ''
    const letter = String.fromCharCode(symbol)
    return this.#held.size > 0
      ? String.fromCharCode(letter.toUpperCase().charCodeAt(0) & 0x1f)
      : letter
  }
}
