import { type ResultOf, graphql } from '../graphql.ts'

const securityGroupRow = graphql(`
  fragment SecurityGroupRow on SecurityGroup @_unmask {
    id
    name
    description
    isDefault
    version
    updatedAt
    rules {
      direction
      protocol
      portFrom
      portTo
      cidr
      peerGroupId
    }
    enforcement {
      enforced
      reason
    }
    uses {
      vms {
        names
        total
      }
      groups {
        names
        total
      }
    }
    refusals {
      rename
      delete
    }
  }
`)

export type SecurityGroupRow = ResultOf<typeof securityGroupRow>
export type SecurityGroupRule = SecurityGroupRow['rules'][number]

export const securityGroupDocuments = {
  list: graphql(
    `
      query SecurityGroups(
        $first: Int!
        $after: String
        $filter: SecurityGroupFilter
        $orderBy: SecurityGroupOrder
      ) {
        securityGroups(first: $first, after: $after, filter: $filter, orderBy: $orderBy) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...SecurityGroupRow
          }
        }
      }
    `,
    [securityGroupRow],
  ),
  one: graphql(
    `
      query SecurityGroup($id: ID!) {
        securityGroup(id: $id) {
          ...SecurityGroupRow
        }
      }
    `,
    [securityGroupRow],
  ),
  create: graphql(
    `
      mutation CreateSecurityGroup($input: CreateSecurityGroupInput!) {
        createSecurityGroup(input: $input) {
          securityGroup {
            ...SecurityGroupRow
          }
          operation {
            id
          }
        }
      }
    `,
    [securityGroupRow],
  ),
  update: graphql(
    `
      mutation UpdateSecurityGroup($input: UpdateSecurityGroupInput!) {
        updateSecurityGroup(input: $input) {
          securityGroup {
            ...SecurityGroupRow
          }
          operation {
            id
          }
        }
      }
    `,
    [securityGroupRow],
  ),
  remove: graphql(`
    mutation DeleteSecurityGroup($input: DeleteSecurityGroupInput!) {
      deleteSecurityGroup(input: $input) {
        securityGroup {
          id
        }
      }
    }
  `),
}
