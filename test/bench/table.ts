import { type Row, type Side, isMet } from './row.ts'

const columns = [
  'row',
  'Berth p50 / p99 ms',
  'per s',
  'CPU ms',
  'limit p50 / p99 ms',
  'per s',
  'CPU ms',
  'CPU ratio',
  'measured',
  '(least – most)',
  'target',
  'met',
]

/** Returns the rows as a Markdown table, ready to paste into an issue. */
export function tableOf(rows: readonly Row[]): string {
  const lines = [columns, columns.map(() => '-'), ...rows.map(cellsOf)]
  const widths = columns.map((_, index) =>
    Math.max(...lines.map((line) => line[index]?.length ?? 0)),
  )
  const padded = (line: readonly string[]): string =>
    `| ${line.map((cell, index) => (cell === '-' ? '-'.repeat(widths[index] ?? 1) : cell.padEnd(widths[index] ?? 0))).join(' | ')} |`
  return lines.map(padded).join('\n')
}

function cellsOf(row: Row): string[] {
  const { name, berth, limit = {}, value, unit, spread, cpuRatio, target } = row
  const met = isMet(row)
  return [
    name,
    ...sideCells(berth),
    ...sideCells(limit),
    cpuRatio === undefined ? '' : short(cpuRatio),
    formatValue(value, unit),
    spread ? `${short(spread[0])} – ${short(spread[1])}` : '',
    target === undefined
      ? ''
      : 'atLeast' in target
        ? `≥ ${formatValue(target.atLeast, unit)}`
        : `≤ ${formatValue(target.atMost, unit)}`,
    met === null ? '' : met ? 'yes' : 'NO',
  ]
}

function sideCells({ p50Ms, p99Ms, perSecond, cpuMs }: Side): string[] {
  const times = [p50Ms, p99Ms].flatMap((ms) => (ms === undefined ? [] : [short(ms)])).join(' / ')
  return [
    times,
    perSecond === undefined ? '' : perSecond.toFixed(0),
    cpuMs === undefined ? '' : short(cpuMs),
  ]
}

const formatValue = (value: number, unit: Row['unit']): string =>
  unit === '×' ? short(value) : `${short(value)} ${unit}`

const short = (value: number): string =>
  value >= 100
    ? value.toFixed(0)
    : value >= 10
      ? value.toFixed(1)
      : value >= 0.1
        ? value.toFixed(2)
        : value.toFixed(3)
