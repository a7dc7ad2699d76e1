import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const maxSize = { cpu: 1024, memoryMi: 16_777_216 } as const

/** Requires a whole number within the limits of a VM. */
export function requireSize(field: keyof typeof maxSize, value: number): number {
  if (!Number.isInteger(value) || value < 1)
    throw invalid(field, messageOf('field.not_positive_whole'))
  if (value > maxSize[field])
    throw invalid(field, messageOf('field.at_most', { most: maxSize[field] }))
  return value
}
