import { type ResultOf, graphql } from '../graphql.ts'

export const publicNetworkDocument = graphql(`
  query PublicNetwork {
    publicNetwork {
      id
      name
      cidr
      gateway
      dns
      capacity
      free
      attachmentNamespace
      attachmentName
      state
      stateReason
    }
  }
`)

export type PublicNetwork = NonNullable<ResultOf<typeof publicNetworkDocument>['publicNetwork']>
