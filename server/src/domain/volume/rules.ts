import { invalid } from '../../engine/model/name.ts'
import { messageOf } from '../../engine/model/message.ts'

const usualGi = 10
const mostGi = 65_536

/** A size in whole GiB; the usual one when none is given. */
export function requireVolumeSize(given: number | null | undefined): number {
  const value = given ?? usualGi
  if (!Number.isInteger(value) || value < 1) throw invalid('sizeGi', messageOf('field.whole_gi'))
  if (value > mostGi) throw invalid('sizeGi', messageOf('field.at_most_gi', { most: mostGi }))
  return value
}
