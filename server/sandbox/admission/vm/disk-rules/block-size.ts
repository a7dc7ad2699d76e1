import { type Cause } from '../../../objects/cause.ts'
import { type JsonMap } from '../../../objects/types.ts'
import { read } from '../../../objects/read.ts'
import { cause } from '../../refusals.ts'

const smallest = 512
const largest = 2_097_152

/** Validates the sector sizes that a disk presents to its guest. */
export function blockSizeCauses(
  at: string,
  { custom, matchVolume }: JsonMap,
  bus: string,
): Cause[] {
  if (custom === undefined) return []
  const field = `${at}.blockSize`
  if (matchVolume !== undefined && read.at(matchVolume, 'enabled') !== false)
    return [cause.wrong(field, "Block size matching can't be enabled together with a custom value")]
  const [logical, physical, granularity] = (
    ['logical', 'physical', 'discardGranularity'] as const
  ).map((key) => read.at(custom, key))
  const sizes = { logical: Number(logical ?? 0), physical: Number(physical ?? 0) }
  const clash = clashCause(`${field}.custom`, sizes, {
    bus,
    granularity: granularity === undefined ? null : Number(granularity),
  })
  if (clash) return [clash]
  return [
    ...sizeCauses(`${field}.custom.logical`, sizes.logical),
    ...sizeCauses(`${field}.custom.physical`, sizes.physical),
  ]
}

interface Sizes {
  logical: number
  physical: number
}

function clashCause(
  at: string,
  { logical, physical }: Sizes,
  { bus, granularity }: { bus: string; granularity: number | null },
): Cause | null {
  if (logical > physical)
    return cause.wrong(
      `${at}.logical`,
      `Logical size ${logical} must be the same or less than the physical size of ${physical}`,
    )
  if (bus === 'sata' && logical !== smallest)
    return cause.wrong(
      `${at}.logical`,
      `Logical size ${logical} must be ${smallest} for SATA devices`,
    )
  if (granularity === null || logical === 0 || granularity % logical === 0) return null
  return cause.wrong(
    `${at}.discardGranularity`,
    `Discard granularity ${granularity} must be multiples of logical size ${logical}`,
  )
}

function sizeCauses(field: string, size: number): Cause[] {
  const provided = `Provided size of ${size} is`
  if (size < smallest)
    return [cause.wrong(field, `${provided} less than the supported minimum size of ${smallest}`)]
  if (size > largest)
    return [cause.wrong(field, `${provided} greater than the supported maximum size of ${largest}`)]
  return Number.isInteger(Math.log2(size))
    ? []
    : [cause.wrong(field, `${provided} not a power of 2`)]
}
