import { invalid } from '../../engine/model/name.ts'

const most = { cpu: 1024, memoryMi: 16_777_216 } as const

/** A size must be a whole number that a machine can have. */
export function requireSize(field: keyof typeof most, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw invalid(field, 'must be greater than 0')
  if (value > most[field]) throw invalid(field, `must be at most ${most[field]}`)
  return value
}
