import { type ResultOf, graphql } from '../graphql.ts'

/** The fields of a quota line that the usage bars show. */
export const quotaLine = graphql(`
  fragment QuotaLine on QuotaUsage @_unmask {
    resource
    limit
    used
  }
`)

export type QuotaLine = ResultOf<typeof quotaLine>
