import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const defaultGi = 10
const maxGi = 65_536

/** Validates a size in whole GiB. Without a size, the default is used. */
export function requireVolumeSize(requested: number | null | undefined): number {
  const value = requested ?? defaultGi
  if (!Number.isInteger(value) || value < 1) throw invalid('sizeGi', messageOf('field.whole_gi'))
  if (value > maxGi) throw invalid('sizeGi', messageOf('field.at_most_gi', { most: maxGi }))
  return value
}
