/**
 * A quantity in billionths, which is the precision of Kubernetes. The family of its suffix decides
 * how it is formatted.
 */
interface Quantity {
  billionths: bigint
  family: 'binary' | 'decimal' | 'exponent'
}

const billion = 1_000_000_000n
const decimalPowers: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']

const pattern = /^([+-]?)(\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+)|([numkMGTPE]|[KMGTPE]i))?$/

function parsed(quantity: unknown): Quantity | null {
  const [, sign, digits, exponent, suffix = ''] =
    pattern.exec(typeof quantity === 'number' ? String(quantity) : textOf(quantity)) ?? []
  if (digits === undefined) return null
  const tens = exponent === undefined ? (decimalPowers[suffix] ?? 0) : Number(exponent)
  const binary = Math.max(binarySuffixes.indexOf(suffix), 0)
  const billionths = scaled(digits, { tens, binary }) * (sign === '-' ? -1n : 1n)
  return {
    billionths,
    family: binary > 0 ? 'binary' : exponent === undefined ? 'decimal' : 'exponent',
  }
}

function scaled(digits: string, { tens, binary }: { tens: number; binary: number }): bigint {
  const [whole = '', fraction = ''] = digits.split('.')
  return times10(
    BigInt(`${whole}${fraction}`) * 1024n ** BigInt(binary),
    tens + 9 - fraction.length,
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Rounds fractions of a billionth away from zero. */
function times10(units: bigint, power: number): bigint {
  if (power >= 0) return units * 10n ** BigInt(Math.min(power, 64))
  return dividedUp(units, 10n ** BigInt(Math.min(-power, 64)))
}

const dividedUp = (units: bigint, by: bigint): bigint => (units + by - 1n) / by

/**
 * Returns the number for a quantity such as 500m, 2Gi or 1e3. Null for text that is no quantity.
 */
export function numberOf(quantity: unknown): number | null {
  const value = parsed(quantity)
  return value && Number(value.billionths) / Number(billion)
}

/**
 * Formats the quantity as Kubernetes does: the largest suffix of its family that needs no fraction.
 * Returns text that is no quantity unchanged.
 */
export function canonical(quantity: unknown): string {
  const value = parsed(quantity)
  if (!value) return textOf(quantity)
  const sign = value.billionths < 0n ? '-' : ''
  const size = value.billionths < 0n ? -value.billionths : value.billionths
  if (size === 0n) return '0'
  // Less than one Ki has no binary form.
  const isBinary = value.family === 'binary' && size >= 1024n * billion
  return (
    sign +
    (isBinary
      ? binaryForm(dividedUp(size, billion))
      : decimalForm(size, value.family === 'exponent'))
  )
}

function binaryForm(units: bigint): string {
  let power = 0
  let left = units
  for (; left % 1024n === 0n && power < binarySuffixes.length - 1; power += 1) left /= 1024n
  return `${left}${binarySuffixes[power]}`
}

function decimalForm(billionths: bigint, asExponent: boolean): string {
  let power = -9
  let left = billionths
  for (; left % 1000n === 0n && power < 18; power += 3) left /= 1000n
  if (asExponent) return power === 0 ? String(left) : `${left}e${power}`
  const [suffix = ''] = Object.entries(decimalPowers).find(([, each]) => each === power) ?? []
  return `${left}${suffix}`
}
