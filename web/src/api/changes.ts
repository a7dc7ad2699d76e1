import { type ResultOf, graphql } from './graphql.ts'

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
