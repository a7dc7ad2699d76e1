import { invalid } from '../../engine/model/name.ts'

const usualGi = 10
const mostGi = 65_536

/** A size in whole GiB; the usual one when none is given. */
export function requireVolumeSize(given: number | null | undefined): number {
  const value = given ?? usualGi
  if (!Number.isInteger(value) || value < 1)
    throw invalid('sizeGi', 'must be a whole number of GiB, 1 or more')
  if (value > mostGi) throw invalid('sizeGi', `must be at most ${mostGi} GiB`)
  return value
}
