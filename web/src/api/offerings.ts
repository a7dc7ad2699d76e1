import { type ResultOf, graphql } from './graphql.ts'

const offeringRow = graphql(`
  fragment OfferingRow on ServiceOffering @_unmask {
    id
    name
    displayName
    cpu
    memoryMi
    dedicatedCpu
    state
    version
    createdAt
  }
`)

export type OfferingRow = ResultOf<typeof offeringRow>

export const offeringDocuments = {
  list: graphql(
    `
      query ServiceOfferings(
        $first: Int!
        $after: String
        $filter: ServiceOfferingFilter
        $orderBy: ServiceOfferingOrder
      ) {
        serviceOfferings(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...OfferingRow
          }
        }
      }
    `,
    [offeringRow],
  ),
  create: graphql(
    `
      mutation CreateServiceOffering($input: CreateServiceOfferingInput!) {
        createServiceOffering(input: $input) {
          serviceOffering {
            ...OfferingRow
          }
        }
      }
    `,
    [offeringRow],
  ),
  update: graphql(
    `
      mutation UpdateServiceOffering($input: UpdateServiceOfferingInput!) {
        updateServiceOffering(input: $input) {
          serviceOffering {
            ...OfferingRow
          }
        }
      }
    `,
    [offeringRow],
  ),
  remove: graphql(`
    mutation DeleteServiceOffering($input: DeleteServiceOfferingInput!) {
      deleteServiceOffering(input: $input) {
        serviceOffering {
          id
        }
      }
    }
  `),
}
