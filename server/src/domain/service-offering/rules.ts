import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const most = { cpu: 1024, memoryMi: 16_777_216 } as const

/** A size must be a whole number that a machine can have. */
export function requireSize(field: keyof typeof most, value: number): number {
  if (!Number.isInteger(value) || value < 1) throw invalid(field, messageOf('field.not_above_zero'))
  if (value > most[field]) throw invalid(field, messageOf('field.at_most', { most: most[field] }))
  return value
}
