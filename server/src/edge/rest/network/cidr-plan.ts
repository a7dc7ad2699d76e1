import { ResponseShape } from '../../../engine/rest/response-shape.ts'
import { scalar } from '../../../engine/rest/scalar.ts'

const { flag, text } = scalar

/** A block as the document returns it. */
export interface SuggestionRow {
  cidr: string
  label: number | string
}

/** A CIDR that a user can choose for a new VPC or network, as REST returns it. */
export const suggestion = new ResponseShape<SuggestionRow>(
  'CidrSuggestion',
  {
    cidr: text,
    label: {
      schema: { ...text, description: 'The block with its number of addresses, for a menu.' },
      from: 'addresses',
    },
    available: flag,
    'reason?': text,
  },
  (row) => {
    row.label = `${row.cidr} (${row.label} addresses)`
  },
)
