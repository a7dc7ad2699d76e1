import { scalar } from '../../../engine/rest/scalar.ts'
import { object } from '../../../engine/rest/shapes.ts'

const { flag, text } = scalar

export const suggestionFields = 'cidr addresses available reason'

/** A block as the document brings it. */
export interface SuggestionRow {
  cidr: string
  addresses: number
  available: boolean
  reason: string | null
}

export const wireSuggestion = ({ cidr, addresses, available, reason }: SuggestionRow): object => ({
  cidr,
  label: `${cidr} (${addresses} addresses)`,
  available,
  reason: reason ?? undefined,
})

export const suggestionSchema = object({
  cidr: text,
  label: text,
  available: flag,
  'reason?': text,
})
