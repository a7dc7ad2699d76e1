import { number } from '../i18n/number.ts'

/** Formats memory in MiB with the usual unit: `512 MiB`, `8 GiB`, `1.5 GiB`. */
export function memory(mi: number): string {
  if (mi < 1024) return `${number(mi)} MiB`
  return gibibytes(mi / 1024)
}

export function gibibytes(gi: number): string {
  return `${number(gi, 2)} GiB`
}

/** Formats bytes with the usual unit: `640 KiB`, `1.5 GiB`. */
export function bytes(count: number): string {
  const power = Math.min(units.length - 1, count < 1 ? 0 : Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** power
  return `${number(value, value >= 100 || power === 0 ? 0 : 1)} ${units[power]}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
