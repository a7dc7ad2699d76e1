const longestLine = 8 * 1024

// Colours, cursor movements and titles are for a terminal; in a text they would be noise, and in
// somebody's own terminal worse.
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
const controls = /(?!\t)\p{Cc}/gu

/** A line as it would stand on paper: what was written over by a later part of it is left out. */
function onPaper(raw: string): string {
  const shown = raw.replace(/\r+$/, '').replaceAll(escapes, '')
  const text = shown.slice(shown.lastIndexOf('\r') + 1).replaceAll(controls, '')
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text
}

/**
 * Makes lines of a guest's bytes, however they are cut into pieces. What is no UTF-8 is shown as
 * such.
 */
export class GuestLines {
  readonly #decoder = new TextDecoder()
  #rest = ''

  push(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n')
    const rest = lines.pop() ?? ''
    // A guest may never end its line.
    const isEndless = rest.length > longestLine
    this.#rest = isEndless ? '' : rest
    return [...lines, ...(isEndless ? [rest] : [])].map(onPaper)
  }

  /** The line that is not ended yet: a prompt stays like this until somebody answers it. */
  get unfinished(): string {
    return onPaper(this.#rest)
  }

  /** The line that was not ended. */
  end(): string[] {
    const rest = this.#rest + this.#decoder.decode()
    this.#rest = ''
    return rest === '' ? [] : [onPaper(rest)]
  }
}

/**
 * All lines of bytes of which the beginning may be missing: half a line would say something else.
 */
export function linesIn(bytes: Uint8Array, { isCut }: { isCut: boolean }): string[] {
  const lines = new GuestLines()
  const all = [...lines.push(bytes), ...lines.end()]
  return isCut ? all.slice(1) : all
}
