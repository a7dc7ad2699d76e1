import { type Picture } from '../../guest.ts'
import { glyph, glyphColumns } from './font.ts'

const columns = 80
const lines = 25
const cellWidth = 9
const cellHeight = 16
const width = columns * cellWidth
const height = lines * cellHeight

const light = [0xaa, 0xaa, 0xaa] as const

/** A terminal of 80 by 25 characters that renders its output as a picture. */
export class TextScreen {
  #rows: string[] = Array.from({ length: lines }, () => '')
  #row = 0
  #column = 0
  #escape = ''

  write(text: string): void {
    for (const letter of text) {
      if (this.#escape !== '' || letter === '\u001b') this.#escaped(letter)
      else this.#put(letter)
    }
  }

  get text(): string {
    return this.#rows.join('\n')
  }

  picture(): Picture {
    const rgb = Buffer.alloc(width * height * 3)
    const paint = (column: number, row: number): void => {
      const at = (row * width + column) * 3
      for (const [index, part] of light.entries()) rgb[at + index] = part
    }
    for (const [row, text] of this.#rows.entries())
      for (const [column, letter] of [...text].entries()) draw(letter, { column, row }, paint)
    // The cursor is a line under the next character.
    for (let dot = 0; dot < cellWidth - 1; dot += 1)
      paint(Math.min(this.#column, columns - 1) * cellWidth + dot, this.#row * cellHeight + 14)
    return { width, height, rgb }
  }

  #put(letter: string): void {
    if (letter === '\r') this.#column = 0
    else if (letter === '\n') this.#feed()
    else if (letter === '\b') this.#column = Math.max(0, this.#column - 1)
    else if (letter >= ' ') this.#letter(letter)
  }

  #letter(letter: string): void {
    if (this.#column >= columns) {
      this.#column = 0
      this.#feed()
    }
    const row = (this.#rows[this.#row] ?? '').padEnd(this.#column)
    this.#rows[this.#row] = row.slice(0, this.#column) + letter + row.slice(this.#column + 1)
    this.#column += 1
  }

  #feed(): void {
    if (this.#row < lines - 1) this.#row += 1
    else this.#rows = [...this.#rows.slice(1), '']
  }

  #escaped(letter: string): void {
    this.#escape += letter
    if (/^\u001b(\[[\d;?]*)?$/.test(this.#escape)) return
    const done = this.#escape
    this.#escape = ''
    if (done.endsWith('J')) this.#rows = this.#rows.map(() => '')
    else if (done.endsWith('K'))
      this.#rows[this.#row] = (this.#rows[this.#row] ?? '').slice(0, this.#column)
    else if (done.endsWith('H')) this.#row = this.#column = 0
  }
}

function draw(
  letter: string,
  { column, row }: { column: number; row: number },
  paint: (x: number, y: number) => void,
): void {
  for (const [line, bits] of glyph(letter).entries()) {
    for (let dot = 0; dot < glyphColumns; dot += 1) {
      if ((bits & (1 << (glyphColumns - 1 - dot))) === 0) continue
      const [x, y] = [column * cellWidth + 2 + dot, row * cellHeight + 1 + 2 * line]
      paint(x, y)
      paint(x, y + 1)
    }
  }
}
