import { type ResultOf, graphql } from '../graphql.ts'

export const auditDocument = graphql(`
  query AuditEvents($first: Int!, $after: String, $filter: AuditEventFilter) {
    auditEvents(first: $first, after: $after, filter: $filter) {
      totalCount
      pageInfo {
        endCursor
        hasNextPage
      }
      nodes {
        id
        at
        actorName
        byPlatform
        credential
        operation
        targetKind
        targetName
        outcome
        code
        requestId
        address
      }
    }
  }
`)

export type AuditRow = ResultOf<typeof auditDocument>['auditEvents']['nodes'][number]
