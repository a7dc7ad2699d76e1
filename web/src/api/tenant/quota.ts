import { type ResultOf, graphql } from '../graphql.ts'

export const quotaLine = graphql(`
  fragment QuotaLine on QuotaUsage @_unmask {
    resource
    limit
    used
  }
`)

export type QuotaLine = ResultOf<typeof quotaLine>
