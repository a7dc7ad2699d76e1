import { type ResultOf, graphql } from './graphql.ts'

/** The subscription of the change feed: one message for each changed row, without its values. */
export const changesDocument = graphql(`
  subscription Changes($after: String) {
    changes(after: $after) {
      cursor
      kind
      objectId
      gap
    }
  }
`)

export type ChangeKind = NonNullable<ResultOf<typeof changesDocument>['changes']['kind']>
