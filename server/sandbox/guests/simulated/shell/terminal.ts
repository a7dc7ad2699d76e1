/** Callbacks for a line of input and for control keys. */
export interface TerminalEvents {
  line(text: string): void
  interrupt(): void
  /** Ctrl-D on an empty line. */
  leave(): void
}

const longestLine = 4096
const rememberedLines = 50

/**
 * The terminal of a simulated guest's serial console. It turns keys into lines, with echo, line
 * editing and a history.
 */
export class Terminal {
  readonly #write: (text: string) => void
  readonly #events: TerminalEvents
  #line = ''
  #escape: string | null = null
  #history: string[] = []
  #position = 0
  #lastWasReturn = false
  /** The text before the line, which is redrawn with it. */
  prompt = ''
  isSecret = false
  keepsHistory = false

  constructor(write: (text: string) => void, events: TerminalEvents) {
    this.#write = write
    this.#events = events
  }

  ask(prompt: string, { isSecret = false, keepsHistory = false } = {}): void {
    Object.assign(this, { prompt, isSecret, keepsHistory })
    this.#line = ''
    this.#position = this.#history.length
    this.#write(prompt)
  }

  forget(): void {
    this.#history = []
  }

  feed(text: string): void {
    for (const key of text) {
      if (this.#escape !== null || key === '\u001b') this.#escaped(key)
      else this.#key(key)
    }
  }

  /** Reads a cursor key: an escape, a bracket and a letter. */
  #escaped(key: string): void {
    this.#escape = (this.#escape ?? '') + key
    if (/^\u001b(\[[\d;]*)?$/.test(this.#escape) || this.#escape === '\u001bO') return
    const last = this.#escape.at(-1)
    this.#escape = null
    if (last === 'A') this.#recall(-1)
    if (last === 'B') this.#recall(1)
  }

  #recall(step: number): void {
    if (!this.keepsHistory) return
    this.#position = Math.min(this.#history.length, Math.max(0, this.#position + step))
    this.#line = this.#history[this.#position] ?? ''
    this.#write(`\r\u001b[K${this.prompt}${this.#line}`)
  }

  #key(key: string): void {
    const isSecondHalf = key === '\n' && this.#lastWasReturn
    this.#lastWasReturn = key === '\r'
    if (isSecondHalf) return
    const special = this.#keys[key]
    if (special) special()
    else if (key >= ' ' && this.#line.length < longestLine) {
      this.#line += key
      if (!this.isSecret) this.#write(key)
    }
  }

  readonly #enter = (): void => {
    const line = this.#line
    this.#line = ''
    this.#write('\r\n')
    if (this.keepsHistory && line.trim() !== '' && this.#history.at(-1) !== line)
      this.#history = [...this.#history, line].slice(-rememberedLines)
    this.#position = this.#history.length
    this.#events.line(line)
  }

  readonly #erase = (): void => {
    if (this.#line === '') return
    this.#line = [...this.#line].slice(0, -1).join('')
    if (!this.isSecret) this.#write('\b \b')
  }

  readonly #keys: Readonly<Record<string, () => void>> = {
    '\r': this.#enter,
    '\n': this.#enter,
    '\u007f': this.#erase,
    '\b': this.#erase,
    '\u0003': () => {
      this.#line = ''
      this.#write('^C\r\n')
      this.#events.interrupt()
    },
    '\u0004': () => {
      if (this.#line === '') this.#events.leave()
    },
    '\u0015': () => {
      this.#line = ''
      this.#write(`\r\u001b[K${this.prompt}`)
    },
    '\u000c': () =>
      this.#write(`\u001b[H\u001b[2J${this.prompt}${this.isSecret ? '' : this.#line}`),
  }
}
