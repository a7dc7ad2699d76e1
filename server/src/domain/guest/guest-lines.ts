const maxLineLength = 8 * 1024

// Colours, cursor movements and titles are for terminals. In a text they are noise, and they could
// control the terminal of a reader.
const escapes =
  /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g
const controls = /(?!\t)\p{Cc}/gu

/** Returns the line as a printer would show it, without text that was overwritten later. */
function printable(raw: string): string {
  const withoutEscapes = raw.replace(/\r+$/, '').replaceAll(escapes, '')
  const text = withoutEscapes.slice(withoutEscapes.lastIndexOf('\r') + 1).replaceAll(controls, '')
  return text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text
}

/**
 * Splits the output of a guest into lines, independent of chunk boundaries. Invalid UTF-8 becomes
 * replacement characters.
 */
export class GuestLines {
  readonly #decoder = new TextDecoder()
  #rest = ''

  push(bytes: Uint8Array): string[] {
    const lines = (this.#rest + this.#decoder.decode(bytes, { stream: true })).split('\n')
    const rest = lines.pop() ?? ''
    // A guest may never end a line.
    const isEndless = rest.length > maxLineLength
    this.#rest = isEndless ? '' : rest
    return [...lines, ...(isEndless ? [rest] : [])].map(printable)
  }

  /** The unfinished line, such as a prompt that waits for input. */
  get unfinished(): string {
    return printable(this.#rest)
  }

  /** Returns the unfinished line at the end of the output. */
  end(): string[] {
    const rest = this.#rest + this.#decoder.decode()
    this.#rest = ''
    return rest === '' ? [] : [printable(rest)]
  }
}

/**
 * Returns the lines of the bytes. With `isCut`, the first line is dropped, because its beginning is
 * missing.
 */
export function linesIn(bytes: Uint8Array, { isCut }: { isCut: boolean }): string[] {
  const lines = new GuestLines()
  const all = [...lines.push(bytes), ...lines.end()]
  return isCut ? all.slice(1) : all
}
