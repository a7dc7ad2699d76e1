/**
 * Formats the output of commands such as `df` as a table. Each column is as wide as its widest
 * cell.
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join(' ')
          .trimEnd()}\n`,
    )
    .join('')
}
