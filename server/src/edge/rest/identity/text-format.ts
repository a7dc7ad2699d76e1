/** A text format of rows that is written line by line, and whose end tells that it is complete. */
export interface TextFormat {
  head(columns: readonly string[]): string
  line(row: object, columns: readonly string[]): string
  /** A file without this line was cut off. */
  end(rows: number, columns: readonly string[]): string
}

/** One JSON object in each line. */
export const ndjson: TextFormat = {
  head: () => '',
  line: (row) => `${JSON.stringify(row)}\n`,
  end: (rows) => `${JSON.stringify({ complete: true, rows })}\n`,
}

/** RFC 4180. The last row has `complete` and the number of rows in its first two columns. */
export const csv: TextFormat = {
  head: (columns) => csvRow(columns),
  line: (row, columns) => {
    // The columns of an export have texts and flags only.
    const values = new Map<string, Cell>(Object.entries(row as Record<string, Cell>))
    return csvRow(columns.map((column) => cellOf(values.get(column))))
  },
  end: (rows, columns) => csvRow(['complete', rows, ...columns.slice(2).map(() => '')].map(String)),
}

const csvRow = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** A spreadsheet would run a text that begins like a formula. The apostrophe makes it a text. */
const beginsFormula = /^[=+\-@\t\r\n]/

type Cell = string | boolean | null | undefined

function cellOf(value: Cell): string {
  const text = String(value ?? '')
  return beginsFormula.test(text) ? `'${text}` : text
}
