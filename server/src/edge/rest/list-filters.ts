import { type QueryTable, searchFilter } from '../../engine/rest/request-query.ts'
import { type Schema, list } from '../../engine/rest/json-schema.ts'
import { scalar } from '../../engine/rest/scalar.ts'

/** The filters of every list of objects that a user creates. */
export const usualFilters: QueryTable = {
  ...searchFilter,
  created_after: {
    description: 'Only objects that were created after this time.',
    schema: scalar.time,
  },
}

/** The filter by state; `as` is the field of the filter for another kind of state. */
export const stateFilter = (states: Schema, as = 'states'): QueryTable => ({
  state: {
    description: 'Only objects in this state. The parameter may be repeated.',
    schema: list(states),
    as,
  },
})

/** A filter by the id of another object. */
export const idFilter = (name: string, description: string): QueryTable => ({
  [name]: { description, schema: scalar.id },
})
