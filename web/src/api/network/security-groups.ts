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
      singlePort
      # A change of the form keeps host bits, which Terraform compares.
      cidr: requestedCidr
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
/** A rule as a request contains it. */
export type SecurityGroupRule = Omit<SecurityGroupRow['rules'][number], 'singlePort'>

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
