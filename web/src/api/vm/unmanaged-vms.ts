import { type ResultOf, graphql } from '../graphql.ts'

const unmanagedVmRow = graphql(`
  fragment UnmanagedVmRow on UnmanagedVm @_unmask {
    id
    name
    power
    status
    cpu
    memoryMi
    disks {
      name
      kind
      source
      sizeGi
    }
    nics {
      name
      network
    }
    obstacles
  }
`)

export type UnmanagedVmRow = ResultOf<typeof unmanagedVmRow>

export const unmanagedVmDocuments = {
  list: graphql(
    `
      query UnmanagedVms($first: Int!, $after: String) {
        unmanagedVms(first: $first, after: $after) {
          totalCount
          pageInfo {
            endCursor
            hasNextPage
          }
          nodes {
            ...UnmanagedVmRow
          }
        }
      }
    `,
    [unmanagedVmRow],
  ),
  adopt: graphql(`
    mutation AdoptVm($input: AdoptVmInput!) {
      adoptVm(input: $input) {
        vm {
          id
        }
        operation {
          id
        }
      }
    }
  `),
}
