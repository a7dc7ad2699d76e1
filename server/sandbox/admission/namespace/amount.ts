import { numberOf } from '../../quantity.ts'
import { type Json } from '../../objects/types.ts'

/**
 * A quantity of a resource that quotas and limit ranges can add. A sum has the suffix family of its
 * first part that is not zero.
 */
export interface Amount {
  value: number
  isBinary: boolean
}

export const amountOf = (quantity: Json | undefined): Amount | null => {
  const value = numberOf(quantity)
  return value === null
    ? null
    : { value, isBinary: typeof quantity === 'string' && quantity.endsWith('i') }
}

export const count = (value: number): Amount => ({ value, isBinary: false })

export const plus = (a: Amount | undefined, b: Amount): Amount => ({
  // Quantities are exact to thousandths and floating point numbers are not, so the sum is rounded.
  value: Math.round(((a?.value ?? 0) + b.value) * 1_000) / 1_000,
  isBinary: a && a.value !== 0 ? a.isBinary : b.isBinary,
})

const binary = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const decimal = ['k', 'M', 'G', 'T', 'P', 'E']

/** Formats the amount with the largest suffix that is exact. */
export function formatAmount({ value, isBinary }: Amount): string {
  if (!Number.isInteger(value)) return `${Math.round(value * 1_000)}m`
  const [base, suffixes] = isBinary ? [1024, binary] : [1000, decimal]
  const power = [6, 5, 4, 3, 2, 1].find((each) => value !== 0 && value % base ** each === 0)
  return power === undefined ? String(value) : `${value / base ** power}${suffixes[power - 1]}`
}
